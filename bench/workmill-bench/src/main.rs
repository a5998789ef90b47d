//! Measures Workmill and its peers on one PostgreSQL, in interleaved rounds.

mod measures;
mod scene;
mod server;

use anyhow::Result;
use clap::Parser;

#[derive(Parser)]
struct Arguments {
    #[arg(long)]
    quick: bool,
    #[arg(long)]
    measure: Vec<String>,
    #[arg(long)]
    statistics: bool,
}

#[tokio::main]
async fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let server = server::Server::start(arguments.statistics)?;
    println!("{}", server.facts().await?.line());
    for m in measures::ALL {
        if !arguments.measure.is_empty() && !arguments.measure.iter().any(|n| n == m.name) {
            continue;
        }
        if arguments.statistics { server.reset_statistics().await?; }
        let t = std::time::Instant::now();
        match measures::run(m.name, &server, measures::Size { quick: arguments.quick }).await {
            Ok(numbers) => {
                println!("{} ({:.1} s, load {:.1})", m.name, t.elapsed().as_secs_f64(), server::load());
                for (k, v) in numbers {
                    println!("   {k} {v:.2}");
                }
            }
            Err(e) => println!("{} FAILED {e:#}", m.name),
        }
        if arguments.statistics { for l in server.statistics().await? { println!("{l}"); } }
    }
    Ok(())
}
