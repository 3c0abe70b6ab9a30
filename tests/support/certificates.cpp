#include "support/certificates.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <memory>
#include <stdexcept>

namespace deputy::test {

namespace {

template <auto free>
struct Free {
  void operator()(auto* thing) const { free(thing); }
};
using Key = std::unique_ptr<EVP_PKEY, Free<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Free<X509_free>>;
using Bytes = std::unique_ptr<BIO, Free<BIO_free_all>>;

void must(bool worked) {
  if (!worked) throw std::runtime_error("OpenSSL made no certificate");
}

void extend(X509* certificate, X509* issuer, int what, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, what, value);
  must(extension != nullptr && X509_add_ext(certificate, extension, -1) == 1);
  X509_EXTENSION_free(extension);
}

Certificate make(const char* name, EVP_PKEY* key, X509* issuer, EVP_PKEY* issuer_key, long serial) {
  Certificate made(X509_new());
  X509* const certificate = made.get();
  X509_set_version(certificate, X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), serial);
  X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate), 86'400);
  X509_set_pubkey(certificate, key);
  X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_UTF8,
                             reinterpret_cast<const unsigned char*>(name), -1, -1, 0);
  X509* const by = issuer == nullptr ? certificate : issuer;
  X509_set_issuer_name(certificate, X509_get_subject_name(by));
  if (issuer == nullptr) {
    extend(certificate, by, NID_basic_constraints, "critical,CA:TRUE");
    extend(certificate, by, NID_key_usage, "critical,keyCertSign");
  } else {
    extend(certificate, by, NID_subject_alt_name, "DNS:localhost,DNS:some.test,IP:127.0.0.1");
  }
  must(X509_sign(certificate, issuer_key, EVP_sha256()) > 0);
  return made;
}

template <class Write>
std::string text_of(Write write) {
  const Bytes bytes(BIO_new(BIO_s_mem()));
  must(write(bytes.get()) == 1);
  char* data = nullptr;
  const long size = BIO_get_mem_data(bytes.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

std::string pem(X509* certificate) {
  return text_of([=](BIO* bytes) { return PEM_write_bio_X509(bytes, certificate); });
}

}  // namespace

Certificates::Certificates() {
  const Key authority_key(EVP_EC_gen("P-256"));
  const Key key(EVP_EC_gen("P-256"));
  const Certificate authority = make("Test Authority", authority_key.get(), nullptr, authority_key.get(), 1);
  const Certificate certificate = make("localhost", key.get(), authority.get(), authority_key.get(), 2);
  folder_.write("authority.pem", pem(authority.get()));
  folder_.write("certificate.pem", pem(certificate.get()));
  folder_.write("key.pem", text_of([&](BIO* bytes) {
                  return PEM_write_bio_PrivateKey(bytes, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
                }));
}

}  // namespace deputy::test
