// Settings of the pipeline tools, `tools.pipeline_tools`: those that every category has, and how each backend is
// reached.
#pragma once

#include <filesystem>
#include <string>

#include "base/secret.h"
#include "net/url.h"
#include "toolkit/settings.h"

namespace deputy::tools {

struct GitHubSettings {
  std::string url = "https://api.github.com";
  Secret token;

  template <class Fields>
  static void fields(Fields& f) {
    using S = GitHubSettings;
    f.optional(&S::url, "url", "The address of GitHub's REST API; https://HOST/api/v3 for an Enterprise Server")
        .from_variable("GITHUB_API_URL")
        .check_with(net::check_base_url);
    f.optional(&S::token, "token", "A fine-grained access token, or one of a GitHub App").from_variable("GITHUB_TOKEN");
  }
};

struct BitbucketSettings {
  std::string url = "https://api.bitbucket.org/2.0";
  std::string email;
  Secret token;
  std::string workspace;

  template <class Fields>
  static void fields(Fields& f) {
    using S = BitbucketSettings;
    f.optional(&S::url, "url", "The address of Bitbucket Cloud's REST API")
        .from_variable("BITBUCKET_API_URL")
        .check_with(net::check_base_url);
    f.optional(&S::email, "email",
               "The e-mail address of the account that an API token is of; none for an access token")
        .from_variable("BITBUCKET_EMAIL");
    f.optional(&S::token, "token",
               "An API token of the account, or an access token of a repository, project or workspace")
        .from_variable("BITBUCKET_API_TOKEN");
    f.optional(&S::workspace, "workspace", "The workspace of repositories that are named without one");
  }
};

struct FilePipelinesSettings {
  std::filesystem::path file;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&FilePipelinesSettings::file, "file", "A JSON file with {repositories, pipelines, pull_requests}");
  }
};

struct PipelineToolsSettings : toolkit::CategorySettings {
  GitHubSettings github;
  BitbucketSettings bitbucket;
  FilePipelinesSettings files;

  void check(FieldReader& reader) const;

  template <class Fields>
  static void fields(Fields& f) {
    using S = PipelineToolsSettings;
    f.optional(&S::github, "github", "The backend `github`: repositories, GitHub Actions and pull requests");
    f.optional(&S::bitbucket, "bitbucket", "The backend `bitbucket`: Bitbucket Cloud");
    f.optional(&S::files, "files", "The backend `files`: what a file of this machine says, to read only");
    f.template shared<toolkit::CategorySettings>();
  }
};

}  // namespace deputy::tools
