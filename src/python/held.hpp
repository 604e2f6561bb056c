// SPDX-License-Identifier: Apache-2.0
// A Python object that an object of C++ keeps. Its last owner may be a thread without the
// interpreter lock.
#pragma once

#include <pybind11/pybind11.h>

#include <utility>

namespace posse::python {

class Held {
 public:
  explicit Held(pybind11::object object) : object_(std::move(object)) {}
  Held(Held&&) = default;
  Held& operator=(Held&&) = delete;
  ~Held() {
    if (!object_) return;
    const pybind11::gil_scoped_acquire lock;
    object_.release().dec_ref();
  }
  const pybind11::object& operator*() const { return object_; }
  const pybind11::object* operator->() const { return &object_; }

 private:
  pybind11::object object_;
};

}  // namespace posse::python
