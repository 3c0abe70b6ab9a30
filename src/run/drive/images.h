// The images of a request, from its channel to its model. The journal has their ids and digests; the bytes stay on the
// platform, and are read again by whoever takes the run up. An image that cannot be read again is named as not shown.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/model.h"
#include "run/drive/dependencies.h"

namespace deputy::run {

/// Those of one run, for as long as this process works on it.
class RequestImages {
 public:
  /// Reads the images among the files of a request, at most model::kMaxImages. One that cannot be read is left out.
  Task<std::vector<ShownImage>> read(const RunDependencies& dependencies, Received received);

  /// Puts the data into a request that was built from the journal, reading again what is not here.
  Task<> show_in(const RunDependencies& dependencies, Received received, std::vector<ShownImage> shown,
                 model::Request& request);

 private:
  std::map<std::string, model::Image, std::less<>> known_;  // by digest; without data: it cannot be read again
};

}  // namespace deputy::run
