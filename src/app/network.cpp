#include "app/network.h"

#include "net/url.h"

namespace deputy::app {

net::ClientOptions client_options(const NetworkSettings& settings) {
  return {.proxy = settings.proxy,
          .no_proxy = net::split_no_proxy(settings.no_proxy),
          .ca_file = settings.ca_file.string()};
}

}  // namespace deputy::app
