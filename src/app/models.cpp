#include "app/models.h"

#include "model/offline/offline.h"

namespace deputy::app {

std::shared_ptr<model::Model> make_model(const ModelsSettings&) {
  return std::make_shared<model::offline::OfflineModel>();
}

}  // namespace deputy::app
