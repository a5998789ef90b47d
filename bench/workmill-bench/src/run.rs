//! A run: rounds of measures, ours and those of the peers next to each other.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::Arguments;
use crate::measures::{self, Measure, Numbers, Size, YARDSTICK};
use crate::peers::{self, Peer};
use crate::samples::{OURS, Place, Samples};
use crate::server::{self, Server};

pub struct Run {
    server: Server,
    peers: Vec<Peer>,
    size: Size,
    pub samples: Samples,
}

impl Run {
    pub async fn start(arguments: &Arguments) -> Result<Run> {
        let server = Server::start(arguments.statistics)?;
        let facts = server.facts().await?.line();
        tell!("{facts}");
        let mut peers = Peer::all(&arguments.cache, &arguments.peers);
        let chosen = &arguments.peer;
        peers.retain(|peer| chosen.is_empty() || chosen.iter().any(|name| name == peer.name));
        if arguments.no_peers {
            peers.clear();
        }
        let today = jiff::Timestamp::now().strftime("%Y-%m-%d");
        let about = vec![format!("`{}`, {today}", arguments.command()), facts];
        Ok(Run {
            server,
            peers,
            size: Size {
                quick: arguments.quick,
            },
            samples: Samples::create(&arguments.samples_path(), about)?,
        })
    }

    pub async fn rounds(&mut self, arguments: &Arguments) -> Result<()> {
        let rounds = arguments.rounds.unwrap_or(self.size.pick(1, 3));
        let chosen = &arguments.measure;
        let is_chosen =
            |measure: &Measure| chosen.is_empty() || chosen.iter().any(|name| name == measure.name);
        for round in 1..=rounds {
            for measure in measures::ALL {
                if is_chosen(measure) && (round == 1 || !measure.once) {
                    let place = Place::new(round, measure.name);
                    self.block(&place, arguments.statistics).await?;
                }
            }
        }
        Ok(())
    }

    /// One measure of ours and, where peers have it too, the yardstick before it and the peers
    /// after it: what is compared is measured within the same minute or two.
    async fn block(&mut self, place: &Place, with_statistics: bool) -> Result<()> {
        let counterparts = peers::counterparts(&place.block);
        if !counterparts.is_empty() {
            self.ours(place, YARDSTICK).await?;
        }
        if with_statistics {
            self.server.reset_statistics().await?;
        }
        self.ours(place, &place.block).await?;
        if with_statistics {
            for line in self.server.statistics().await? {
                tell!("{line}");
            }
        }
        for counterpart in counterparts {
            for peer in self.peers.iter().filter(|peer| peer.has(counterpart)) {
                let answer = peer.run(&self.server, counterpart, self.size).await;
                let numbers = match answer {
                    Ok((version, numbers)) => {
                        self.samples.version(peer.name, version)?;
                        Ok(numbers)
                    }
                    Err(error) => Err(error),
                };
                take(&mut self.samples, place, peer.name, counterpart, numbers)?;
            }
        }
        Ok(())
    }

    async fn ours(&mut self, place: &Place, name: &str) -> Result<()> {
        let longest = Duration::from_secs(self.size.pick(180, 900));
        let start = Instant::now();
        let measured = measures::run(name, &self.server, self.size);
        let numbers = tokio::time::timeout(longest, measured)
            .await
            .with_context(|| format!("not done within {} s", longest.as_secs()))
            .flatten();
        let took = start.elapsed().as_secs();
        tell!(
            "round {}: {name} ({took} s, load {:.1})",
            place.round,
            server::load()
        );
        if numbers.is_err() {
            // What it left running loses its database, and ends.
            self.server.drop_leftovers().await?;
        }
        take(&mut self.samples, place, OURS, name, numbers)
    }
}

fn take(
    samples: &mut Samples,
    place: &Place,
    who: &str,
    measure: &str,
    numbers: Result<Numbers>,
) -> Result<()> {
    match numbers {
        Ok(numbers) => {
            for (name, value) in numbers {
                tell!("    {who} {name} {value:.2}");
                samples.add(place, who, &name, value)?;
            }
            Ok(())
        }
        Err(error) => {
            tell!("    {who} {measure} not measured: {error:#}");
            samples.miss(who, measure, &error)
        }
    }
}
