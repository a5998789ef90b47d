//! What a command prints, up to a limit: a command that prints without end costs no memory and is not
//! held up.

use std::collections::VecDeque;
use std::io;

use tokio::io::{AsyncRead, AsyncReadExt};

/// Which part is kept when there is too much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Beginning,
    End,
}

#[derive(Debug)]
pub(super) struct Kept {
    part: Part,
    most: usize,
    bytes: VecDeque<u8>,
    left_out: u64,
}

impl Kept {
    pub(super) fn new(part: Part, most: usize) -> Self {
        Kept {
            part,
            most,
            bytes: VecDeque::new(),
            left_out: 0,
        }
    }

    /// Reads to the end.
    pub(super) async fn read(&mut self, pipe: Option<impl AsyncRead + Unpin>) -> io::Result<()> {
        let Some(mut pipe) = pipe else {
            return Ok(());
        };
        let mut chunk = vec![0; 64 * 1024];
        loop {
            match pipe.read(&mut chunk).await? {
                0 => return Ok(()),
                read => self.add(&chunk[..read]),
            }
        }
    }

    fn add(&mut self, chunk: &[u8]) {
        let surplus = (self.bytes.len() + chunk.len()).saturating_sub(self.most);
        self.left_out += surplus as u64;
        match self.part {
            Part::Beginning => self.bytes.extend(&chunk[..chunk.len() - surplus]),
            Part::End => {
                self.bytes.extend(chunk);
                self.bytes.drain(..surplus);
            }
        }
    }

    /// What is not UTF-8 is replaced, and so is what no database can hold.
    pub(super) fn text(&self) -> String {
        let bytes: Vec<u8> = self.bytes.iter().copied().collect();
        String::from_utf8_lossy(&bytes).replace('\0', "\u{fffd}")
    }

    /// How many bytes there were beyond those that were kept.
    pub(super) fn left_out(&self) -> u64 {
        self.left_out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn kept(part: Part, most: usize, text: &[u8]) -> Kept {
        let mut kept = Kept::new(part, most);
        kept.read(Some(text)).await.unwrap();
        kept
    }

    #[tokio::test]
    async fn too_much_is_cut_at_the_end_that_matters_less() {
        let all = kept(Part::Beginning, 5, b"12345").await;
        assert_eq!((all.text().as_str(), all.left_out()), ("12345", 0));
        let beginning = kept(Part::Beginning, 4, b"123456").await;
        assert_eq!(
            (beginning.text().as_str(), beginning.left_out()),
            ("1234", 2)
        );
        let end = kept(Part::End, 4, b"123456").await;
        assert_eq!((end.text().as_str(), end.left_out()), ("3456", 2));
    }

    #[tokio::test]
    async fn it_never_holds_more_than_it_keeps() {
        for part in [Part::Beginning, Part::End] {
            let kept = kept(part, 1000, &vec![b'x'; 1_000_000]).await;
            assert_eq!(kept.bytes.len(), 1000);
            assert_eq!(kept.left_out(), 999_000);
        }
    }

    #[tokio::test]
    async fn what_is_no_text_is_replaced() {
        let kept = kept(Part::Beginning, 100, b"a\xff\xfeb\0c").await;
        assert_eq!(kept.text(), "a\u{fffd}\u{fffd}b\u{fffd}c");
    }
}
