//! Tables for people: columns side by side, at most as wide as the screen.
//!
//! The name of a column says what may happen to it where the screen is too narrow: `~title` is
//! shortened, `?cost` is left out. Other columns stay whole: half an id is no id.

use std::io::IsTerminal;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// As wide as every terminal is, and what is not a terminal.
const USUAL_WIDTH: usize = 80;
/// Columns that may be left out are left out before others become narrower than this.
const COMFORTABLE: usize = 8;
const NARROWEST: usize = 4;
/// A space on each side of a cell.
const MARGIN: usize = 2;

#[derive(Debug)]
pub(crate) struct Table {
    columns: Vec<Column>,
}

#[derive(Debug)]
struct Column {
    /// The name, then the cells.
    cells: Vec<String>,
    when_narrow: WhenNarrow,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WhenNarrow {
    StaysWhole,
    IsShortened,
    IsLeftOut,
}

impl Table {
    pub(crate) fn new(names: &[&str]) -> Self {
        let columns = names.iter().map(|name| {
            let (name, when_narrow) = match (name.strip_prefix('~'), name.strip_prefix('?')) {
                (Some(name), _) => (name, WhenNarrow::IsShortened),
                (None, Some(name)) => (name, WhenNarrow::IsLeftOut),
                (None, None) => (*name, WhenNarrow::StaysWhole),
            };
            Column {
                cells: vec![name.to_owned()],
                when_narrow,
            }
        });
        Table {
            columns: columns.collect(),
        }
    }

    /// Adds a cell to each column.
    pub(crate) fn add_row(&mut self, cells: impl IntoIterator<Item = String>) {
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            column.cells.push(cell);
        }
    }

    /// The names of the columns, then a line a row.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.lines_within(screen_width())
    }

    fn lines_within(&self, most: usize) -> Vec<String> {
        let columns = self.that_fit(most);
        let widths = widths(&columns, most);
        let rows = self.columns.first().map_or(0, |column| column.cells.len());
        let line = |row: usize| {
            let cells = columns.iter().zip(&widths);
            let cells = cells.map(|(column, &width)| padded(&column.cells[row], width));
            cells.collect::<String>().trim_end().to_owned()
        };
        (0..rows).map(line).collect()
    }

    fn that_fit(&self, most: usize) -> Vec<&Column> {
        let mut columns: Vec<&Column> = self.columns.iter().collect();
        while needed(&columns) > most {
            let last = columns
                .iter()
                .rposition(|column| column.when_narrow == WhenNarrow::IsLeftOut);
            match last {
                Some(last) => columns.remove(last),
                None => break,
            };
        }
        columns
    }
}

impl Column {
    fn width(&self) -> usize {
        self.cells
            .iter()
            .map(|cell| cell.width())
            .max()
            .unwrap_or(0)
    }

    fn can_shrink(&self) -> bool {
        self.when_narrow == WhenNarrow::IsShortened
    }
}

/// How wide the table is when it is as narrow as it is comfortable to read.
fn needed(columns: &[&Column]) -> usize {
    let width = |column: &&Column| {
        if column.can_shrink() {
            column.width().min(COMFORTABLE)
        } else {
            column.width()
        }
    };
    line_width(columns.iter().map(width))
}

/// What a line takes whose end is trimmed.
fn line_width(widths: impl Iterator<Item = usize>) -> usize {
    let all: usize = widths.map(|width| width + MARGIN).sum();
    all.saturating_sub(1)
}

/// Takes from the widest of those that can be shortened until the line fits.
fn widths(columns: &[&Column], most: usize) -> Vec<usize> {
    let mut widths: Vec<usize> = columns.iter().map(|column| column.width()).collect();
    while line_width(widths.iter().copied()) > most {
        let widest = (0..widths.len())
            .filter(|&at| columns[at].can_shrink() && widths[at] > NARROWEST)
            .max_by_key(|&at| widths[at]);
        match widest {
            Some(at) => widths[at] -= 1,
            None => break,
        }
    }
    widths
}

fn padded(cell: &str, width: usize) -> String {
    let cell = shortened(cell, width);
    let rest = width - cell.width();
    format!(" {cell}{} ", " ".repeat(rest))
}

/// The beginning of a text that is too wide, with an ellipsis.
pub(super) fn shortened(text: &str, most: usize) -> String {
    if text.width() <= most {
        return text.to_owned();
    }
    let mut kept = String::new();
    let mut width = 1;
    for letter in text.chars() {
        width += letter.width().unwrap_or(0);
        if width > most {
            break;
        }
        kept.push(letter);
    }
    format!("{kept}…")
}

pub(super) fn screen_width() -> usize {
    if !std::io::stdout().is_terminal() {
        return USUAL_WIDTH;
    }
    let size = terminal_size::terminal_size();
    size.map_or(USUAL_WIDTH, |(width, _)| usize::from(width.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "task_01M7HMRKXS1JNRSM27H7W3YKXE";

    fn table(title: &str) -> Table {
        let mut table = Table::new(&["task", "~title", "?cost"]);
        table.add_row([ID.to_owned(), title.to_owned(), "$0.0000".to_owned()]);
        table
    }

    #[test]
    fn what_fits_stays_as_it_is() {
        let lines = table("Mend the roof").lines_within(80);
        assert_eq!(
            lines[0],
            format!(" task{}title          cost", " ".repeat(29))
        );
        assert_eq!(lines[1], format!(" {ID}  Mend the roof  $0.0000"));
    }

    #[test]
    fn a_narrow_screen_shortens_titles_leaves_out_what_may_be_left_out_and_keeps_ids() {
        let table = table("Mend the roof before the winter comes, and the gutter with it");
        let lines = table.lines_within(80);
        assert!(
            lines[1].contains(ID) && lines[1].ends_with("$0.0000"),
            "{lines:?}"
        );
        assert!(
            lines[1].contains('…') && lines[1].width() <= 80,
            "{lines:?}"
        );
        let lines = table.lines_within(48);
        assert!(
            lines[1].contains(ID) && !lines[1].contains('$'),
            "{lines:?}"
        );
        assert!(lines[1].width() <= 48, "{lines:?}");
    }

    #[test]
    fn wide_letters_count_twice() {
        assert_eq!(shortened("任務任務", 5), "任務…");
        assert_eq!(padded("任務", 5), " 任務  ");
    }
}
