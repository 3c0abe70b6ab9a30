#include "net/failure.h"

#include <curl/curl.h>
#include <openssl/x509.h>

namespace deputy::net {

namespace {

Error broken_proxy(long status) {
  if (status == 407) {
    return {ErrorKind::authentication, "the proxy wants other credentials", "check the user and password of the proxy"};
  }
  return {ErrorKind::network, fmt::format("the proxy refused the connection with status {}", status),
          "check that the proxy may reach this host"};
}

std::string why_not_trusted(CurlEasy* easy) {
  long verified = X509_V_OK;
  curl_easy_getinfo(easy, CURLINFO_SSL_VERIFYRESULT, &verified);
  // libcurl leaves the second when the chain was good and the name was not.
  if (verified == X509_V_OK || verified == X509_V_ERR_UNSPECIFIED) return "it is for another host";
  return X509_verify_cert_error_string(verified);
}

}  // namespace

Error describe_failure(int code, CurlEasy* easy, const std::string& place, bool through_proxy) {
  long proxy_status = 0;
  curl_easy_getinfo(easy, CURLINFO_HTTP_CONNECTCODE, &proxy_status);
  if (through_proxy && proxy_status >= 300) return broken_proxy(proxy_status);
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
      return {ErrorKind::network, fmt::format("the name in `{}` was not found", place),
              "check the host's name and the machine's name servers", true};
    case CURLE_COULDNT_RESOLVE_PROXY:
      return {ErrorKind::network, "the name of the proxy was not found", "check the proxy's address in the settings",
              true};
    case CURLE_COULDNT_CONNECT:
      return {ErrorKind::network,
              through_proxy ? "cannot connect to the proxy" : fmt::format("cannot connect to `{}`", place),
              "check that it runs and can be reached from here", true};
    case CURLE_OPERATION_TIMEDOUT:
      return {ErrorKind::timeout, fmt::format("`{}` did not answer in time", place), {}, true};
    case CURLE_PEER_FAILED_VERIFICATION:
      return {ErrorKind::network,
              fmt::format("the certificate of `{}` is not trusted: {}", place, why_not_trusted(easy)),
              "if it is your own, name the file of its certificate authority in SSL_CERT_FILE"};
    case CURLE_SSL_CACERT_BADFILE:
      return {ErrorKind::not_configured, "the file of certificate authorities cannot be read", "check SSL_CERT_FILE"};
    case CURLE_SSL_CONNECT_ERROR:
      return {ErrorKind::network, fmt::format("no secure connection to `{}` could be made", place),
              "check that it speaks TLS on this port", true};
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_BAD_CONTENT_ENCODING:
      return {ErrorKind::upstream, fmt::format("what `{}` answered is not HTTP as it should be", place)};
    default:
      // Text of the library's own, the same for every request.
      return {ErrorKind::network,
              fmt::format("the connection to `{}` closed before the whole response arrived ({})", place,
                          curl_easy_strerror(static_cast<CURLcode>(code))),
              {},
              true};
  }
}

}  // namespace deputy::net
