// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "stages/support/file_error.hpp"

#include <cerrno>
#include <system_error>

namespace millrace::inline v1 {
namespace {

ErrorKind kind_of(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
    case EMFILE:
    case ENFILE:
    case ENOMEM:
      return ErrorKind::resource;
    case EIO:
    case EAGAIN:
    case EBUSY:
    case ESTALE:
    case ETIMEDOUT:
      return ErrorKind::transient;
    default:
      return ErrorKind::input;
  }
}

}  // namespace

std::string reason_of(int error) {
  switch (error) {
    case EACCES:
    case EPERM:
      return "permission denied";
    case ENOENT:
      return "it does not exist";
    case EEXIST:
      return "it is there already";
    case EISDIR:
      return "it is a folder, not a file";
    case ENOTDIR:
      return "a part of its path is a file, not a folder";
    case ENOSPC:
      return "no space left on the disk";
    case EDQUOT:
      return "the disk quota is used up";
    case EFBIG:
      return "it is larger than a file may be here";
    case EMFILE:
    case ENFILE:
      return "too many files are open";
    case ENAMETOOLONG:
      return "its name is too long for the file system";
    case ELOOP:
      return "its symbolic links lead in a circle";
    case EROFS:
      return "the file system is read-only";
    case ENXIO:
      return "it is not a regular file";
    default:
      return std::generic_category().message(error);
  }
}

Error file_error(std::string_view doing, int error) {
  return {kind_of(error), std::string(doing) + ": " + reason_of(error)};
}

}  // namespace millrace::inline v1
