#include "model/breaker.h"

namespace deputy::model {

bool Breaker::lets_through(Timestamp now) {
  if (failures_ < rules_.failures) return true;
  if (now < until_) return false;
  until_ = now + rules_.rest;
  return true;
}

void Breaker::succeeded() {
  failures_ = 0;
  until_ = {};
}

void Breaker::failed(Timestamp now) {
  if (++failures_ >= rules_.failures) until_ = now + rules_.rest;
}

}  // namespace deputy::model
