// SPDX-License-Identifier: Apache-2.0
// A library that makes calls of the system fail: LD_PRELOAD=libposse_inject.so
//
//   POSSE_INJECT=malloc:7     the 7th call fails; malloc:7+ the 7th and all later ones, but of
//                             malloc those that fit into what has been freed since
//   POSSE_INJECT_COUNTS=FILE  at the end, the number of calls of every kind, a line each
//
// Kinds: malloc, thread (pthread_create), open, write, short (write: half of the bytes), rename,
// fsync, mmap, accept, receive, send (of sockets), kill (SIGKILL at the n-th call of open, write,
// rename, fsync, mkdir or unlink), clock (the time of day jumps back by a day). Calls count from
// the start of main.
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

enum Kind {
  kMalloc,
  kThread,
  kOpen,
  kWrite,
  kShort,
  kRename,
  kFsync,
  kMmap,
  kAccept,
  kReceive,
  kSend,
  kKill,
  kClock,
  kKinds
};
constexpr const char* kNames[kKinds] = {"malloc",
                                        "thread",
                                        "open",
                                        "write",
                                        "short",
                                        "rename",
                                        "fsync",
                                        "mmap",
                                        "accept",
                                        "receive",
                                        "send",
                                        "kill",
                                        "clock"};

std::atomic<long> g_counts[kKinds];
int g_kind = kKinds;
long g_at = 0;
bool g_onwards = false, g_active = false;
std::atomic<long> g_freed{0};  // bytes, since memory has ended

bool happens(Kind kind) {
  if (!g_active) return false;
  const long n = ++g_counts[kind];
  return kind == g_kind && (n == g_at || (g_onwards && n > g_at));
}

/// The memory has ended: what was freed can be had again.
bool no_memory(size_t size) {
  if (!happens(kMalloc)) return false;
  if (g_onwards) {
    const auto wanted = static_cast<long>(size) + 16;
    if (g_freed.fetch_sub(wanted) >= wanted) return false;
    g_freed += wanted;
  }
  errno = ENOMEM;
  return true;
}

/// A call that changes files: a moment to be killed at.
void pass() {
  if (happens(kKill)) raise(SIGKILL);
}

bool fails(Kind kind, int error) {
  if (!happens(kind)) return false;
  errno = error;
  return true;
}

template <class Function>
Function* original(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

int (*g_main)(int, char**, char**);

void write_counts() {
  g_active = false;
  const char* path = getenv("POSSE_INJECT_COUNTS");
  FILE* out = path != nullptr ? fopen(path, "w") : nullptr;
  if (out == nullptr) return;
  for (int kind = 0; kind < kKinds; ++kind)
    fprintf(out, "%s %ld\n", kNames[kind], g_counts[kind].load());
  fclose(out);
}

int injected_main(int argc, char** argv, char** environment) {
  if (const char* what = getenv("POSSE_INJECT"))
    for (int kind = 0; kind < kKinds; ++kind)
      if (const auto length = strlen(kNames[kind]);
          strncmp(what, kNames[kind], length) == 0 && what[length] == ':') {
        g_kind = kind;
        g_at = atol(what + length + 1);
        g_onwards = what[strlen(what) - 1] == '+';
      }
  g_active = true;
  const int code = g_main(argc, argv, environment);
  write_counts();
  return code;
}

}  // namespace

extern "C" {

void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
void __libc_free(void*);

int __libc_start_main(int (*main)(int, char**, char**),
                      int argc,
                      char** argv,
                      void (*init)(),
                      void (*fini)(),
                      void (*rtld_fini)(),
                      void* stack_end) {
  g_main = main;
  return original<decltype(__libc_start_main)>("__libc_start_main")(
      injected_main, argc, argv, init, fini, rtld_fini, stack_end);
}

void* malloc(size_t size) { return no_memory(size) ? nullptr : __libc_malloc(size); }
void* calloc(size_t count, size_t size) {
  return no_memory(count * size) ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) {
  return no_memory(size) ? nullptr : __libc_realloc(old, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
  return no_memory(size) ? nullptr : __libc_memalign(alignment, size);
}
int posix_memalign(void** out, size_t alignment, size_t size) {
  if (no_memory(size)) return ENOMEM;
  *out = __libc_memalign(alignment, size);
  return *out == nullptr ? ENOMEM : 0;
}

void free(void* memory) {
  if (g_kind == kMalloc && g_onwards && memory != nullptr)
    g_freed += static_cast<long>(malloc_usable_size(memory));
  __libc_free(memory);
}

int pthread_create(pthread_t* thread,
                   const pthread_attr_t* attributes,
                   void* (*body)(void*),
                   void* argument) {
  if (fails(kThread, EAGAIN)) return EAGAIN;
  return original<decltype(pthread_create)>("pthread_create")(thread, attributes, body, argument);
}

/// A call of open: whether it may be made, and `mode`, if it has one.
static bool may_open(int flags, va_list more, mode_t& mode) {
  mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
  pass();
  return !fails(kOpen, EMFILE);
}
int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  mode_t mode;
  const bool may = may_open(flags, more, mode);
  va_end(more);
  static auto* const real = original<int(const char*, int, ...)>("open");
  return may ? real(path, flags, mode) : -1;
}
int open64(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  mode_t mode;
  const bool may = may_open(flags, more, mode);
  va_end(more);
  static auto* const real = original<int(const char*, int, ...)>("open64");
  return may ? real(path, flags, mode) : -1;
}
int openat(int folder, const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  mode_t mode;
  const bool may = may_open(flags, more, mode);
  va_end(more);
  static auto* const real = original<int(int, const char*, int, ...)>("openat");
  return may ? real(folder, path, flags, mode) : -1;
}
FILE* fopen(const char* path, const char* mode) {
  pass();
  if (fails(kOpen, EMFILE)) return nullptr;
  static auto* const real = original<FILE*(const char*, const char*)>("fopen");
  return real(path, mode);
}
FILE* fopen64(const char* path, const char* mode) {
  pass();
  if (fails(kOpen, EMFILE)) return nullptr;
  static auto* const real = original<FILE*(const char*, const char*)>("fopen64");
  return real(path, mode);
}
DIR* opendir(const char* path) {
  if (fails(kOpen, EMFILE)) return nullptr;
  static auto* const real = original<DIR*(const char*)>("opendir");
  return real(path);
}

ssize_t write(int file, const void* bytes, size_t count) {
  pass();
  static auto* const real = original<ssize_t(int, const void*, size_t)>("write");
  // Standard output and error are tested with /dev/full.
  if (file > 2 && fails(kWrite, ENOSPC)) return -1;
  if (file > 2 && count > 1 && happens(kShort)) count /= 2;
  return real(file, bytes, count);
}
int rename(const char* from, const char* to) {
  pass();
  if (fails(kRename, EIO)) return -1;
  static auto* const real = original<int(const char*, const char*)>("rename");
  return real(from, to);
}
int fsync(int file) {
  pass();
  if (fails(kFsync, EIO)) return -1;
  static auto* const real = original<int(int)>("fsync");
  return real(file);
}
int fdatasync(int file) {
  pass();
  if (fails(kFsync, EIO)) return -1;
  static auto* const real = original<int(int)>("fdatasync");
  return real(file);
}
int syncfs(int file) {
  pass();
  if (fails(kFsync, EIO)) return -1;
  static auto* const real = original<int(int)>("syncfs");
  return real(file);
}
int mkdir(const char* path, mode_t mode) {
  pass();
  static auto* const real = original<int(const char*, mode_t)>("mkdir");
  return real(path, mode);
}
int unlink(const char* path) {
  pass();
  static auto* const real = original<int(const char*)>("unlink");
  return real(path);
}
int unlinkat(int folder, const char* path, int flags) {
  pass();
  static auto* const real = original<int(int, const char*, int)>("unlinkat");
  return real(folder, path, flags);
}
void* mmap(void* at, size_t length, int protection, int flags, int file, off_t offset) {
  if (fails(kMmap, ENOMEM)) return MAP_FAILED;
  static auto* const real = original<void*(void*, size_t, int, int, int, off_t)>("mmap");
  return real(at, length, protection, flags, file, offset);
}
int accept(int socket, struct sockaddr* from, socklen_t* length) {
  if (fails(kAccept, EMFILE)) return -1;
  static auto* const real = original<int(int, struct sockaddr*, socklen_t*)>("accept");
  return real(socket, from, length);
}
int accept4(int socket, struct sockaddr* from, socklen_t* length, int flags) {
  if (fails(kAccept, EMFILE)) return -1;
  static auto* const real = original<int(int, struct sockaddr*, socklen_t*, int)>("accept4");
  return real(socket, from, length, flags);
}
ssize_t recv(int socket, void* bytes, size_t count, int flags) {
  if (fails(kReceive, ECONNRESET)) return -1;
  static auto* const real = original<ssize_t(int, void*, size_t, int)>("recv");
  return real(socket, bytes, count, flags);
}
ssize_t recvmsg(int socket, struct msghdr* message, int flags) {
  if (fails(kReceive, ECONNRESET)) return -1;
  static auto* const real = original<ssize_t(int, struct msghdr*, int)>("recvmsg");
  return real(socket, message, flags);
}
ssize_t send(int socket, const void* bytes, size_t count, int flags) {
  if (fails(kSend, EPIPE)) return -1;
  static auto* const real = original<ssize_t(int, const void*, size_t, int)>("send");
  return real(socket, bytes, count, flags);
}
ssize_t sendmsg(int socket, const struct msghdr* message, int flags) {
  if (fails(kSend, EPIPE)) return -1;
  static auto* const real = original<ssize_t(int, const struct msghdr*, int)>("sendmsg");
  return real(socket, message, flags);
}
int clock_gettime(clockid_t clock, struct timespec* now) {
  static auto* const real = original<int(clockid_t, struct timespec*)>("clock_gettime");
  const int result = real(clock, now);
  if (clock == CLOCK_REALTIME && happens(kClock)) now->tv_sec -= 86'400;
  return result;
}

}  // extern "C"
