//! All samples of a run. Each is a line of a file at once: whatever ends the run, it is kept.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::measures::YARDSTICK;
use crate::{reason, server};

pub const OURS: &str = "workmill";

/// What was measured within the same minute or two: a measure of ours and the peers' next to it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    pub round: usize,
    pub block: String,
}

impl Place {
    pub fn new(round: usize, block: &str) -> Place {
        let block = block.to_owned();
        Place { round, block }
    }
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    About(Vec<String>),
    Sample(Sample),
    Missed {
        who: String,
        measure: String,
        reason: String,
    },
    Version {
        who: String,
        version: String,
    },
    End,
}

#[derive(Serialize, Deserialize)]
struct Sample {
    #[serde(flatten)]
    place: Place,
    who: String,
    name: String,
    value: f64,
    load: f64,
}

#[derive(Default)]
pub struct Samples {
    file: Option<File>,
    pub about: Vec<String>,
    pub is_whole: bool,
    values: BTreeMap<(String, String), Vec<(Place, f64)>>,
    pub versions: BTreeMap<String, String>,
    pub missed: BTreeMap<(String, String), String>,
    loads: Vec<f64>,
}

impl Samples {
    pub fn create(path: &Path, about: Vec<String>) -> Result<Samples> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let mut samples = Samples {
            file: Some(File::create(path)?),
            ..Samples::default()
        };
        samples.write(Line::About(about))?;
        Ok(samples)
    }

    pub fn read(path: &Path) -> Result<Samples> {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("there are no samples in {}", path.display()))?;
        let mut samples = Samples::default();
        for line in text.lines() {
            // The last line may be half of one.
            if let Ok(line) = serde_json::from_str(line) {
                samples.take(line);
            }
        }
        Ok(samples)
    }

    pub fn add(&mut self, place: &Place, who: &str, name: &str, value: f64) -> Result<()> {
        self.write(Line::Sample(Sample {
            place: place.clone(),
            who: who.to_owned(),
            name: name.to_owned(),
            value,
            load: server::load(),
        }))
    }

    pub fn version(&mut self, who: &str, version: String) -> Result<()> {
        let who = who.to_owned();
        self.write(Line::Version { who, version })
    }

    pub fn miss(&mut self, who: &str, measure: &str, error: &anyhow::Error) -> Result<()> {
        self.write(Line::Missed {
            who: who.to_owned(),
            measure: measure.to_owned(),
            reason: reason::short(&format!("{error:#}")),
        })
    }

    /// The run came to its end.
    pub fn end(&mut self) -> Result<()> {
        self.write(Line::End)
    }

    fn write(&mut self, line: Line) -> Result<()> {
        if let Some(file) = &mut self.file {
            writeln!(file, "{}", serde_json::to_string(&line)?)?;
        }
        self.take(line);
        Ok(())
    }

    fn take(&mut self, line: Line) {
        match line {
            Line::About(about) => self.about = about,
            Line::Sample(sample) => {
                let key = (sample.who, sample.name);
                let value = (sample.place, sample.value);
                self.values.entry(key).or_default().push(value);
                self.loads.push(sample.load);
            }
            Line::Missed {
                who,
                measure,
                reason,
            } => {
                self.missed.insert((who, measure), reason);
            }
            Line::Version { who, version } => {
                self.versions.insert(who, version);
            }
            Line::End => self.is_whole = true,
        }
    }

    pub fn all(&self, who: &str, name: &str) -> &[(Place, f64)] {
        let key = (who.to_owned(), name.to_owned());
        self.values.get(&key).map_or(&[], Vec::as_slice)
    }

    pub fn median(&self, who: &str, name: &str) -> Option<f64> {
        median(self.all(who, name).iter().map(|(_, value)| *value))
    }

    /// The median over the rounds of what one is to the other in the same round.
    pub fn ratio(&self, one: (&str, &str), other: (&str, &str)) -> Option<f64> {
        let other = self.all(other.0, other.1);
        let ratios = self.all(one.0, one.1).iter().filter_map(|(place, value)| {
            let same = other.iter().find(|(there, _)| there.round == place.round)?;
            Some(value / same.1)
        });
        median(ratios)
    }

    /// The median of what it is to the raw INSERT of the same round, measured just before it.
    pub fn to_raw(&self, who: &str, name: &str) -> Option<f64> {
        let raw = self.all(OURS, YARDSTICK);
        let ratios = self.all(who, name).iter().filter_map(|(place, value)| {
            let same = raw.iter().find(|(there, _)| there == place);
            let same = same.or(raw.iter().find(|(there, _)| there.round == place.round))?;
            Some(value / same.1)
        });
        median(ratios)
    }

    pub fn peers(&self) -> BTreeSet<&str> {
        let measured = self.values.keys().map(|(who, _)| who.as_str());
        measured.filter(|who| *who != OURS).collect()
    }

    /// The peer with the highest median, or the lowest.
    pub fn best(
        &self,
        name: &str,
        is_among: impl Fn(&str) -> bool,
        is_low_good: bool,
    ) -> Option<(&str, f64)> {
        let peers = self.peers().into_iter();
        let values = peers
            .filter(|peer| is_among(peer))
            .filter_map(|peer| Some((peer, self.median(peer, name)?)));
        values.reduce(|best, next| {
            if (next.1 < best.1) == is_low_good {
                next
            } else {
                best
            }
        })
    }

    /// The names of all numbers of one of them.
    pub fn names<'a>(&'a self, of: &'a str) -> impl Iterator<Item = &'a str> {
        let keys = self.values.keys().filter(move |(who, _)| who == of);
        keys.map(|(_, name)| name.as_str())
    }

    pub fn rounds(&self) -> usize {
        let places = self.values.values().flatten();
        places.map(|(place, _)| place.round).max().unwrap_or(0)
    }

    pub fn load_range(&self) -> (f64, f64) {
        range(self.loads.iter().copied())
    }
}

pub fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, 0.0), |(least, most), value| {
        (value.min(least), value.max(most))
    })
}

fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::{OURS, Place, Samples};
    use crate::measures::YARDSTICK;

    #[test]
    fn what_was_written_is_read_again() {
        let path = std::env::temp_dir().join(format!("bench-samples-{}", std::process::id()));
        let mut samples = Samples::create(&path, vec!["a run".to_owned()]).unwrap();
        let (first, second) = (
            Place::new(1, "submit_single"),
            Place::new(2, "submit_single"),
        );
        for (place, raw, peer) in [(&first, 100.0, 50.0), (&second, 200.0, 60.0)] {
            samples.add(place, OURS, YARDSTICK, raw).unwrap();
            samples.add(place, "peer", "enqueue", peer).unwrap();
        }
        samples.version("peer", "1.0".to_owned()).unwrap();
        samples
            .miss("peer", "idle", &anyhow::anyhow!("not installed"))
            .unwrap();

        let read = Samples::read(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert!(!read.is_whole);
        assert_eq!(read.about, ["a run"]);
        assert_eq!(read.versions["peer"], "1.0");
        assert_eq!(read.rounds(), 2);
        assert_eq!(read.to_raw("peer", "enqueue"), Some(0.5));
        assert_eq!(read.best("enqueue", |_| true, false), Some(("peer", 60.0)));
        assert_eq!(read.missed.len(), 1);
    }
}
