//! The table of prices that a server works with: a file that somebody names, or the one that is
//! built in.

use anyhow::Result;
use workmill_core::price::PriceTable;

use crate::arguments::PricesArguments;
use crate::context::CommandContext;
use crate::exit::Exit;

/// A server does not start with a table that it cannot read: costs would be missing without a word.
pub(crate) fn read(context: &CommandContext, arguments: &PricesArguments) -> Result<PriceTable> {
    let flag = arguments.prices.as_deref();
    let Some(file) = context.configuration.prices_file(flag) else {
        return Ok(PriceTable::built_in());
    };
    let name = file.display();
    let text = std::fs::read_to_string(&file).map_err(|error| {
        Exit::InvalidInput.because(format!("cannot read the prices in {name}: {error}"))
    })?;
    let table = PriceTable::read(&text).map_err(|error| {
        Exit::InvalidInput.because(format!("the prices in {name} cannot be used: {error}"))
    })?;
    tracing::info!(models = table.len(), file = %name, "prices are read");
    Ok(table)
}
