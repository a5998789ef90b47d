//! Certificates for HTTPS.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::ServerConfig;
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use thiserror::Error;

#[derive(Debug, Error)]
pub enum TlsError {
    #[error("{path} cannot be read as PEM", path = path.display())]
    Unreadable {
        path: PathBuf,
        #[source]
        source: pem::Error,
    },
    #[error("{path} has no certificate in it", path = .0.display())]
    NoCertificate(PathBuf),
    #[error("the certificate and the key cannot be used together")]
    Unusable(#[source] rustls::Error),
}

/// The server's own certificate first, then those that lead from it to one that clients know.
pub fn read_certificates(chain: &Path, key: &Path) -> Result<Arc<ServerConfig>, TlsError> {
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        move |source| TlsError::Unreadable { path, source }
    };
    let certificates = CertificateDer::pem_file_iter(chain)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(unreadable(chain))?;
    if certificates.is_empty() {
        return Err(TlsError::NoCertificate(chain.to_owned()));
    }
    let key = PrivateKeyDer::from_pem_file(key).map_err(unreadable(key))?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(TlsError::Unusable)?
        .with_no_client_auth()
        .with_single_cert(certificates, key)
        .map_err(TlsError::Unusable)?;
    Ok(Arc::new(config))
}
