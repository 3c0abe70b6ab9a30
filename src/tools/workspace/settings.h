// Settings of the workspace tools: `tools.workspace_tools`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "toolkit/settings.h"
#include "tools/workspace/fetch_url.h"
#include "tools/workspace/read_commands.h"

namespace deputy::tools {

struct ShellSettings {
  bool network = false;
  int memory_mb = 2048;
  int processes = 256;
  int file_mb = 1024;
  int tmp_mb = 256;
  int least_free_mb = 512;

  bool operator==(const ShellSettings&) const = default;

  template <class Fields>
  static void fields(Fields& f) {
    using S = ShellSettings;
    f.optional(&S::network, "network",
               "Whether commands may use the network: all that this machine reaches, its own services on loopback and "
               "its abstract unix sockets among it");
    f.optional(&S::memory_mb, "memory_mb", "How much memory a command may use, in MB").in_range(64, 1'048'576);
    f.optional(&S::processes, "processes", "How many processes and threads a command may have").in_range(8, 65'536);
    f.optional(&S::file_mb, "file_mb", "How large a file a command may write, in MB").in_range(1, 1'048'576);
    f.optional(&S::tmp_mb, "tmp_mb", "How much a command may keep in /tmp, in MB").in_range(1, 65'536);
    f.optional(&S::least_free_mb, "least_free_mb",
               "A command is ended when the disk of the workspace has less left than this, in MB")
        .in_range(0, 1'048'576);
  }
};

struct WorkspaceToolsSettings : toolkit::CategorySettings {
  std::filesystem::path root;
  std::vector<std::string> fetch_hosts;
  bool fetch_private = false;
  ShellSettings sandbox;
  ReadCommandSettings read_commands;

  template <class Fields>
  static void fields(Fields& f) {
    using W = WorkspaceToolsSettings;
    f.optional(&W::root, "root", "The folder that workspace tools see, and nothing above it");
    f.optional(&W::fetch_hosts, "fetch_hosts", "Hosts that fetch_url may read from without asking")
        .check_with(check_fetch_hosts);
    f.optional(&W::fetch_private, "fetch_private",
               "Whether fetch_url may read from private and loopback addresses; link-local ones it never reads from");
    f.optional(&W::sandbox, "sandbox", "What a command of the shell may use");
    f.optional(&W::read_commands, "read_commands",
               "More commands that only read, and so run without asking, with the workspace read-only, without network "
               "and without the files that rules of read_file deny: by program, with its subcommand if it has one, the "
               "options that may be used; `-n=` takes a value, `--color?` may have one")
        .check_with(check_read_commands);
    f.template shared<toolkit::CategorySettings>();
  }
};

}  // namespace deputy::tools
