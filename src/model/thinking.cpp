#include "model/thinking.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <memory>

namespace deputy::model {

namespace {

bool is_thinking(const Block& block) { return std::holds_alternative<Thinking>(block); }

/// SHA-256 of texts added one by one; readable at any point.
class RunningDigest {
 public:
  RunningDigest() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
    EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr);
  }

  // Adds the length too, so that the boundary between texts counts.
  void add(std::string_view text) {
    const std::uint64_t size = text.size();
    EVP_DigestUpdate(context_.get(), &size, sizeof size);
    EVP_DigestUpdate(context_.get(), text.data(), text.size());
  }

  std::string hex() const {
    const Context copy(EVP_MD_CTX_new(), EVP_MD_CTX_free);
    EVP_MD_CTX_copy_ex(copy.get(), context_.get());
    std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
    unsigned int size = 0;
    EVP_DigestFinal_ex(copy.get(), bytes.data(), &size);
    constexpr std::size_t kEnough = 16;  // bytes: enough to tell two conversations apart
    return fmt::format("{:02x}", fmt::join(bytes.begin(), bytes.begin() + kEnough, ""));
  }

 private:
  using Context = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;
  Context context_;
};

void add(RunningDigest& digest, const Block& block) {
  struct Add {
    RunningDigest& digest;
    void operator()(const Text& text) const {
      digest.add("text");
      digest.add(text.text);
    }
    void operator()(const Call& call) const {
      digest.add("call");
      digest.add(call.id);
      digest.add(call.tool);
      digest.add(json::serialize(call.arguments));
    }
    void operator()(const CallResult& result) const {
      digest.add(result.failed ? "failure" : "result");
      digest.add(result.call);
      digest.add(result.text);
    }
    void operator()(const Image& image) const {
      digest.add(image.base64 == nullptr ? "image that is not sent" : "image");
      digest.add(image.digest);
    }
    void operator()(const Thinking& thinking) const {
      digest.add("thinking");
      digest.add(json::serialize(thinking.part));
    }
  };
  std::visit(Add{digest}, block);
}

}  // namespace

std::string keep_own_thinking(Request& request, std::string_view origin) {
  if (origin.empty()) {
    drop_thinking(request.turns);
    return {};
  }
  RunningDigest digest;
  digest.add(request.system);
  digest.add(request.tools.digest());
  for (Turn& turn : request.turns) {
    if (std::ranges::any_of(turn.blocks, is_thinking)) {
      const std::string before = digest.hex();
      std::erase_if(turn.blocks, [&](const Block& block) {
        const auto* thinking = std::get_if<Thinking>(&block);
        return thinking != nullptr && (thinking->origin != origin || thinking->prefix != before);
      });
    }
    digest.add(turn.role == Role::user ? "user" : "assistant");
    for (const Block& block : turn.blocks) add(digest, block);
  }
  return digest.hex();
}

bool has_thinking(const Request& request) {
  return std::ranges::any_of(request.turns,
                             [](const Turn& turn) { return std::ranges::any_of(turn.blocks, is_thinking); });
}

void drop_thinking(std::vector<Turn>& turns) {
  for (Turn& turn : turns) std::erase_if(turn.blocks, is_thinking);
}

void sign_thinking(Reply& reply, std::string_view origin, std::string_view prefix) {
  for (Block& block : reply.blocks) {
    auto* thinking = std::get_if<Thinking>(&block);
    if (thinking == nullptr) continue;
    thinking->origin = origin;
    thinking->prefix = prefix;
  }
}

std::string origin_of(std::string_view name, std::string_view address, std::string_view key) {
  constexpr std::size_t kShort = 8;  // of 64 digits: enough to notice a different key, too few to find one
  return fmt::format("{}@{}", name, sha256_hex(fmt::format("{}\n{}", address, key)).substr(0, kShort));
}

}  // namespace deputy::model
