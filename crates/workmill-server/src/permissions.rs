//! What is never repeated, neither in an answer nor in the log: keys. People put secrets where they do
//! not belong.

/// All keys and lease tokens begin with this.
const KEY: &str = "wm_";

const LEFT_OUT: char = '…';

pub(crate) fn is_like_a_key(text: &str) -> bool {
    text.contains(KEY)
}

/// The text, with everything left out that looks like a key.
pub(crate) fn without_keys(text: String) -> String {
    if !is_like_a_key(&text) {
        return text;
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find(KEY) {
        shown.push_str(&rest[..at + KEY.len()]);
        shown.push(LEFT_OUT);
        let key = &rest[at..];
        let end = key.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        rest = &key[end.unwrap_or(key.len())..];
    }
    shown.push_str(rest);
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_left_out_wherever_they_stand() {
        let shown = |text: &str| without_keys(text.to_owned());
        assert_eq!(shown("nothing here"), "nothing here");
        assert_eq!(
            shown("`wm_aB9_x` and wm_lease_0_1, no"),
            "`wm_…` and wm_…, no"
        );
        assert_eq!(shown("wm_"), "wm_…");
    }
}
