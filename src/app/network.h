// How the outside is reached, as settings say: a client for whoever connects to addresses that settings name.
#pragma once

#include "app/settings.h"
#include "net/client.h"

namespace deputy::app {

net::ClientOptions client_options(const NetworkSettings& settings);

}  // namespace deputy::app
