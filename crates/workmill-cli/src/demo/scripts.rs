//! The command of each task: a constant shell script, chosen by the task's name.
//!
//! A script reads what its dependencies put out and writes its own output; nothing else passes
//! between tasks. No part of a task ever becomes part of a command. The `sleep` in each stands
//! for longer work, so that a person can watch.

use workmill_core::task::NewTask;

use super::graph::TASK_TYPE;

/// The script for a task; none when the task is not the demo's.
pub(super) fn script(task: &NewTask) -> Option<&'static str> {
    if task.task_type != TASK_TYPE {
        return None;
    }
    Some(match task.name.as_deref()? {
        "plan" => PLAN,
        "research" => RESEARCH,
        "outline" => OUTLINE,
        "part_words" => PART_WORDS,
        "part_lines" => PART_LINES,
        "part_longest" => PART_LONGEST,
        "synthesis" => SYNTHESIS,
        "test" => TEST,
        "review" => REVIEW,
        "publish" => PUBLISH,
        _ => return None,
    })
}

const PLAN: &str = r"
sleep 0.4
echo '1 What comes in?'
echo '2 Who does it?'
echo '3 What if something breaks?'
";

/// Answers each question of the plan.
const RESEARCH: &str = r#"
sleep 0.7
while read -r number question; do
    echo "== $question"
    case $number in
    1)
        echo 'Work comes in as tasks, and tasks that need each other form a graph.'
        echo 'A task is ready as soon as everything it depends on is completed.'
        ;;
    2)
        echo 'Agents say what they are capable of and claim what fits.'
        echo 'A claim is a lease: it lasts only while the agent shows signs of life.'
        echo 'What an agent puts out is handed to whoever comes next.'
        ;;
    3)
        echo 'A failed attempt is recorded and followed by another one.'
        echo 'When a machine disappears, its leases run out and others take over.'
        echo 'Nothing is lost, because the queue is a database.'
        ;;
    esac
done
"#;

/// Turns headings into a section number in front of each line: `1|the line`.
const OUTLINE: &str = r#"
sleep 0.5
awk '/^==/ { section += 1; next } NF { print section "|" $0 }'
"#;

const PART_WORDS: &str = r#"
sleep 0.8
awk -F '|' '
    { count = split($2, words, " "); sections[$1] += count; total += count; last = $1 }
    END {
        printf "{\"words\": %d, \"by_section\": [", total
        for (i = 1; i <= last; i++) printf "%s%d", (i > 1 ? ", " : ""), sections[i]
        print "]}"
    }'
"#;

const PART_LINES: &str = r#"
sleep 0.6
awk -F '|' '
    length($2) > longest { longest = length($2) }
    END { printf "{\"lines\": %d, \"longest_line\": %d}\n", NR, longest }'
"#;

const PART_LONGEST: &str = r#"
sleep 0.9
cut -d '|' -f 2 | tr -cs 'A-Za-z' '\n' | tr 'A-Z' 'a-z' | sort -u > words
awk '{ print length($0), $0 }' words | sort -k 1,1nr -k 2 | head -n 3 | awk '
    { list = list (NR > 1 ? ", " : "") "\"" $2 "\"" }
    END { print "{\"longest_words\": [" list "]}" }'
"#;

/// Reads the three parts, one JSON object a line.
const SYNTHESIS: &str = r#"
sleep 0.6
cat > parts
number() { sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" parts; }
list() { sed -n "s/.*\"$1\":\[\([^]]*\)\].*/\1/p" parts | sed -e 's/"//g' -e 's/,/, /g'; }
echo "words: $(number words)"
echo "words by section: $(list by_section)"
echo "lines: $(number lines), the longest has $(number longest_line) characters"
echo "longest words: $(list longest_words)"
"#;

/// Checks that the sections add up to the whole.
const TEST: &str = r#"
sleep 0.5
if [ "$WORKMILL_ATTEMPT" = 1 ]; then
    echo 'the first attempt fails on purpose, to show a retry' >&2
    exit 1
fi
awk -F ': ' '
    $1 == "words" { total = $2 }
    $1 == "words by section" { count = split($2, sections, ", ") }
    END {
        for (i = 1; i <= count; i++) sum += sections[i]
        if (sum == 0 || sum != total) exit 1
        printf "{\"passed\": true, \"words_checked\": %d}\n", sum
    }' || { echo 'the sections do not add up to the whole' >&2; exit 1; }
"#;

/// Reads the report and the result of the test.
const REVIEW: &str = r#"
sleep 0.5
cat > received
grep -q '"passed":true' received || { echo 'the report was not tested' >&2; exit 1; }
echo "{\"verdict\": \"approved\", \"lines_read\": $(grep -c '^[a-z]' received)}"
"#;

/// Reads the report and the verdict.
const PUBLISH: &str = r#"
sleep 0.4
cat > received
grep '^[a-z]' received
echo "review: $(sed -n 's/.*"verdict":"\([a-z]*\)".*/\1/p' received)"
"#;

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;
    use workmill_core::ids::TaskId;
    use workmill_protocol::claims::DependencyResult;

    use super::super::{agents, command, graph};
    use super::*;

    /// The graph in its own order, each task fed with what those before it put out.
    #[tokio::test]
    async fn what_the_tasks_put_out_flows_from_the_plan_to_the_publication() {
        let mut results: BTreeMap<String, DependencyResult> = BTreeMap::new();
        for (place, task) in (1_u8..).zip(graph::sample().tasks) {
            let script = script(&task).unwrap().replace("sleep", "true");
            let needed: Vec<_> = task
                .depends_on
                .iter()
                .map(|name| results[name].clone())
                .collect();
            let input = agents::input(&needed);
            let finished = command::run(&script, 2, &input).await.unwrap();
            let id = format!("task_000000000000000000000000{place:02}");
            let result = DependencyResult {
                status: workmill_core::lifecycle::State::Completed,
                left_out: false,
                output_url: None,
                output_bytes: None,
                name: task.name.clone(),
                title: task.title.clone(),
                task_type: task.task_type.clone(),
                task: id.parse::<TaskId>().unwrap(),
                output: finished.result.unwrap(),
                artifacts: Vec::new(),
            };
            results.insert(task.name.unwrap(), result);
        }
        let expected = "words: 95\nwords by section: 27, 37, 31\n\
             lines: 8, the longest has 70 characters\n\
             longest words: disappears, everything, completed\nreview: approved";
        assert_eq!(results["publish"].output, json!(expected));
    }

    #[tokio::test]
    async fn the_first_attempt_of_the_test_fails_on_purpose() {
        let failed = command::run(&TEST.replace("sleep", "true"), 1, "")
            .await
            .unwrap();
        assert!(failed.result.unwrap_err().contains("on purpose"));
    }

    #[test]
    fn a_task_that_is_not_the_demos_has_no_script() {
        let plan = NewTask {
            name: Some("plan".to_owned()),
            ..NewTask::default()
        };
        assert_eq!(script(&plan), None);
        let unknown = NewTask {
            task_type: TASK_TYPE.to_owned(),
            ..NewTask::default()
        };
        assert_eq!(script(&unknown), None);
    }
}
