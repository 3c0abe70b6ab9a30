// How Deputy signs in to a cluster: certificates, programs that print credentials, the account of its pod.
#include <sys/stat.h>

#include "base/base64.h"
#include "support/certificates.h"
#include "tools/clusters/cluster_fixture.h"

namespace deputy::tools::clusters {
namespace {

using testing::HasSubstr;

TEST_F(ClusterTools, SignInWithACertificateOverTheClustersOwnAuthority) {
  const test::Certificates made;
  start({{"token", kToken},
         {"key", made.key_file()},
         {"certificate", made.certificate_file()},
         {"authority", made.authority_file()}});
  const std::string server = "https://127.0.0.1:" + port_;
  const std::string authority = to_base64(*read_text(made.authority_file()));
  write(kubeconfig({{"server", server}, {"certificate-authority-data", authority}},
                   {{"client-certificate", made.certificate_file()}, {"client-key", made.key_file()}}));
  EXPECT_OK(call("get_rollout", kCheckout));
  EXPECT_EQ(*await(clusters_.all().front()->diagnose(std::chrono::seconds(10))), "prod v1.34.1");
  write(kubeconfig({{"server", server}, {"certificate-authority-data", authority}}, {{"token", "wrong"}}));
  clusters_ = clusters();
  EXPECT_FAILS(call("get_rollout", kCheckout), authentication);
  write(kubeconfig({{"server", server}}, {{"token", kToken}}));
  clusters_ = clusters();
  EXPECT_FAILS(call("get_rollout", kCheckout), network);
}

TEST_F(ClusterTools, RunOnlyListedProgramsForCredentials) {
  start();
  folder_.write("sign-in",
                std::string("#!/bin/sh\necho '{\"kind\":\"ExecCredential\",\"status\":{\"token\":\"'$1'\"}}'\n"));
  const std::string program = (folder_.path() / "sign-in").string();
  chmod(program.c_str(), 0700);
  write(kubeconfig({{"server", "http://127.0.0.1:" + port_}},
                   {{"exec", json::object{{"apiVersion", "client.authentication.k8s.io/v1"},
                                          {"command", "sign-in"},
                                          {"args", json::array{kToken}}}}}));
  const Result<std::string> refused = call("get_rollout", kCheckout);
  ASSERT_FAILS(refused, not_configured);
  EXPECT_THAT(refused.error().hint, HasSubstr("exec_programs"));
  programs_ = {program};
  clusters_ = clusters();
  EXPECT_OK(call("get_rollout", kCheckout));
}

/// With TLS and an authority of its own, as every cluster has it.
class ClusterWithItsOwnAuthority : public ClusterTools {
 protected:
  void SetUp() override {
    start({{"token", kToken},
           {"key", made_.key_file()},
           {"certificate", made_.certificate_file()},
           {"authority", made_.authority_file()}});
    clock_ = &manual_;
  }
  void print(const json::object& status) {
    folder_.write("credential.json", json::serialize(json::object{{"kind", "ExecCredential"}, {"status", status}}));
  }
  /// By a program that prints a credential, and counts how often it ran.
  void sign_in_with(const json::object& status) {
    print(status);
    const std::string folder = folder_.path().string();
    const std::string program = folder_
                                    .write("sign-in", "#!/bin/sh\necho once >> '" + folder + "/runs'\n/bin/cat '" +
                                                          folder + "/credential.json'\n")
                                    .string();
    chmod(program.c_str(), 0700);
    programs_ = {program};
    write(kubeconfig(
        {{"server", "https://127.0.0.1:" + port_}, {"certificate-authority", made_.authority_file()}},
        {{"exec", json::object{{"apiVersion", "client.authentication.k8s.io/v1"}, {"command", "sign-in"}}}}));
    clusters_ = clusters();
  }
  std::size_t runs() const { return split(read_text(folder_.path() / "runs").value_or(""), "\n").size() - 1; }

  test::Certificates made_;
};

TEST_F(ClusterWithItsOwnAuthority, IsReachedFromInsideByTheAccountOfThePod) {
  std::string token = kToken;
  files_.text = [&](const std::filesystem::path& path) -> Result<std::string> {
    if (path == "/var/run/secrets/kubernetes.io/serviceaccount/token") return token + "\n";
    if (path == "/var/run/secrets/kubernetes.io/serviceaccount/ca.crt") return read_text(made_.authority_file());
    return fail(ErrorKind::not_found, "another file");
  };
  const std::map<std::string, std::string> contexts{{"prod", std::string(kInCluster)}};
  clusters_ = clusters(contexts);
  const Result<std::string> outside = call("get_rollout", kCheckout);
  ASSERT_FAILS(outside, not_configured);
  EXPECT_THAT(outside.error().message, HasSubstr("KUBERNETES_SERVICE_HOST is not set"));
  variables_ = {{"KUBERNETES_SERVICE_HOST", "127.0.0.1"}, {"KUBERNETES_SERVICE_PORT", port_}};
  EXPECT_OK(call("get_rollout", kCheckout));
  token = "another-token";
  EXPECT_OK(call("get_rollout", kCheckout)) << "the file is not read for each call";
  manual_.advance(std::chrono::seconds(61));
  EXPECT_FAILS(call("get_rollout", kCheckout), authentication);
  token = kToken;
  manual_.advance(std::chrono::seconds(61));
  EXPECT_OK(call("get_rollout", kCheckout)) << "the cluster renews the token while Deputy runs";
}

TEST_F(ClusterWithItsOwnAuthority, IsReachedWithTheCertificateThatAProgramPrintsUntilItExpires) {
  json::object signed_by_it{{"clientCertificateData", *read_text(made_.certificate_file())},
                            {"clientKeyData", *read_text(made_.key_file())},
                            {"expirationTimestamp", "2026-11-18T10:01:00Z"}};
  sign_in_with(signed_by_it);
  EXPECT_OK(call("get_rollout", kCheckout));
  EXPECT_OK(call("get_rollout", kCheckout));
  EXPECT_EQ(runs(), 1U);
  signed_by_it["expirationTimestamp"] = "2026-11-18T10:05:00Z";
  print(signed_by_it);
  manual_.advance(std::chrono::seconds(51));
  EXPECT_OK(call("get_rollout", kCheckout)) << "a little before it expires the program runs again";
  EXPECT_EQ(runs(), 2U);
  sign_in_with({{"token", kToken}});
  EXPECT_OK(call("get_rollout", kCheckout));
  manual_.advance(std::chrono::minutes(9));
  EXPECT_OK(call("get_rollout", kCheckout));
  EXPECT_EQ(runs(), 3U);
  manual_.advance(std::chrono::minutes(2));
  EXPECT_OK(call("get_rollout", kCheckout)) << "one without an end is kept for ten minutes";
  EXPECT_EQ(runs(), 4U);
}

TEST(InCluster, TakesAnAddressOfIpv6) {
  const KubeFiles same{[](const std::filesystem::path&) { return Result<std::string>("x"); }, {}};
  EXPECT_EQ(load_in_cluster(same, "fd00::1", "443")->server, "https://[fd00::1]:443");
  EXPECT_FAILS(load_in_cluster(same, "10.0.0.1", ""), not_configured);
}

TEST(ExecCredentials, HoldATokenOrACertificateWithItsKey) {
  const auto parse = [](const std::string& status) {
    return parse_exec_credential("{\"kind\": \"ExecCredential\", \"status\": " + status + "}");
  };
  EXPECT_EQ(parse(R"({"token": "t"})")->token.reveal(), "t");
  EXPECT_FALSE(parse(R"({"token": "t"})")->expires);
  EXPECT_EQ(parse(R"({"token": "t", "expirationTimestamp": "2026-11-18T11:00:00+01:00"})")->expires,
            *parse_timestamp("2026-11-18T10:00:00Z"));
  for (const char* status : {"{}", R"({"clientCertificateData": "c"})", R"({"clientKeyData": "k"})",
                             R"({"token": "t", "expirationTimestamp": "soon"})"}) {
    const auto refused = parse(status);
    ASSERT_FAILS(refused, authentication) << status;
    EXPECT_THAT(refused.error().hint, HasSubstr("run it by hand")) << status;
  }
  EXPECT_FAILS(parse_exec_credential("please log in"), authentication);
  EXPECT_FAILS(parse_exec_credential(R"({"kind": "Other", "status": {"token": "t"}})"), authentication);
}

}  // namespace
}  // namespace deputy::tools::clusters
