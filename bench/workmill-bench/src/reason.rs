//! Why something was not measured, in few words that say nothing about this machine.

/// As long as a reason may be.
const LONGEST: usize = 120;

/// Leaves out what names places: paths, addresses, hosts, and whatever else is inside of them.
pub fn short(text: &str) -> String {
    let line = text
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .unwrap_or("no reason given");
    let host = host_name();
    let mut words: Vec<&str> = Vec::new();
    for word in line.split_whitespace() {
        let is_place = is_place(word) || host.as_deref().is_some_and(|host| word.contains(host));
        let word = if is_place { "…" } else { word };
        if word != "…" || words.last() != Some(&"…") {
            words.push(word);
        }
    }
    // Nothing that a table or a line of Markdown would trip over.
    let text: String = words
        .join(" ")
        .chars()
        .filter(|c| !matches!(c, '|' | '`' | '<' | '>'))
        .collect();
    if text.chars().count() <= LONGEST {
        return text;
    }
    let cut: String = text.chars().take(LONGEST).collect();
    format!("{}…", cut.trim_end())
}

fn host_name() -> Option<String> {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").ok()?;
    Some(name.trim().to_owned()).filter(|name| name.len() > 2)
}

fn is_place(word: &str) -> bool {
    let inside = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '/' && c != '~');
    if word.contains("://") || word.contains('\\') || word.contains('@') {
        return true;
    }
    if inside.matches('/').count() > 1 || inside.starts_with(['/', '~']) {
        return true;
    }
    // `key="value:port"` and the like.
    inside
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | '-' | '_')))
        .any(is_host)
}

/// `localhost`, `10.0.0.1`, `example.org`; file names look the same, and are no loss.
fn is_host(name: &str) -> bool {
    let parts: Vec<&str> = name.split('.').collect();
    if parts.iter().any(|part| part.is_empty()) || parts.len() < 2 {
        return name == "localhost";
    }
    let is_address = parts.len() == 4 && parts.iter().all(|part| part.parse::<u8>().is_ok());
    let last = parts[parts.len() - 1];
    is_address || (last.len() > 1 && last.chars().all(|c| c.is_ascii_alphabetic()))
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn what_names_no_place_stays() {
        let said = "only 80 of 4000 jobs were done in 15 s";
        assert_eq!(short(said), said);
        assert_eq!(short("no answer within 60 s"), "no answer within 60 s");
    }

    #[test]
    fn places_are_left_out() {
        assert_eq!(
            short("connect failed: /tmp/pg/.s.PGSQL.5432: No such file or directory"),
            "connect failed: … No such file or directory"
        );
        assert_eq!(
            short("GET https://registry.example.org/x - Not found"),
            "GET … - Not found"
        );
        assert_eq!(
            short("getaddrinfo ENOTFOUND db.example.org:5432"),
            "getaddrinfo ENOTFOUND …"
        );
        assert_eq!(short("at (host=10.1.2.3) localhost"), "at …");
    }

    #[test]
    fn it_is_one_short_line() {
        assert_eq!(short("\n  first | `one`\nsecond"), "first  one");
        assert!(short(&"word ".repeat(100)).chars().count() <= 121);
    }
}
