#include "daemon/store/capture_store.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <random>
#include <tuple>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "analysis/archive/archive_reader.h"
#include "daemon/store/store_directory.h"
#include "daemon/sync/mutex.h"
#include "fmt/format.h"
#include "spdlog/spdlog.h"

namespace simpler::daemon {
namespace {

using Bundle = std::shared_ptr<const capture::CaptureBundle>;

constexpr size_t kRememberedEvictions = 100;

int64_t WallTimeUnixMs() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::string RandomId() {
  std::random_device random;
  const uint64_t bits = uint64_t{random()} << 32 | random();
  return fmt::format("cap-{:012x}", bits & 0xFFFF'FFFF'FFFF);
}

StoreOptions WithDefaults(StoreOptions options) {
  if (!options.now_unix_ms) options.now_unix_ms = WallTimeUnixMs;
  if (!options.new_id) options.new_id = RandomId;
  return options;
}

bool HasLabels(const CaptureInfo& info, const std::map<std::string, std::string>& labels) {
  return std::all_of(labels.begin(), labels.end(), [&](const auto& label) {
    const auto found = info.import.labels.find(label.first);
    return found != info.import.labels.end() && found->second == label.second;
  });
}

// The same refusal, naming the option that sets the limit.
absl::Status NameTheBudget(const absl::Status& status) {
  if (status.code() != absl::StatusCode::kResourceExhausted) return status;
  return absl::ResourceExhaustedError(
      fmt::format("{} (--store-bytes)", std::string(status.message())));
}

}  // namespace

// Two locks. `mutex_` guards what is known and is held briefly. `commit_mutex_` makes changes of
// the directory one after the other: it is taken first and may be held while files are written.
class CaptureStore::State : public std::enable_shared_from_this<State> {
 public:
  explicit State(StoreOptions options) : options_(WithDefaults(std::move(options))) {}

  absl::Status OpenDirectory() ABSL_LOCKS_EXCLUDED(mutex_);
  absl::StatusOr<std::unique_ptr<Import>> BeginImport(const ImportLabels& labels)
      ABSL_LOCKS_EXCLUDED(mutex_);
  std::optional<CaptureInfo> FindByKey(const std::string& key) const ABSL_LOCKS_EXCLUDED(mutex_);
  std::vector<CaptureInfo> List(const std::map<std::string, std::string>& labels) const
      ABSL_LOCKS_EXCLUDED(mutex_);
  absl::StatusOr<CaptureInfo> Get(const std::string& id) const ABSL_LOCKS_EXCLUDED(mutex_);
  absl::StatusOr<Bundle> Load(const std::string& id) ABSL_LOCKS_EXCLUDED(mutex_, commit_mutex_);
  absl::Status Delete(const std::string& id) ABSL_LOCKS_EXCLUDED(mutex_, commit_mutex_);
  StoreUsage usage() const ABSL_LOCKS_EXCLUDED(mutex_);
  std::vector<EvictionInfo> evictions() const ABSL_LOCKS_EXCLUDED(mutex_);
  void OnUnload(UnloadListener listener) ABSL_LOCKS_EXCLUDED(listener_mutex_);

  const std::string& directory() const { return options_.directory; }
  uint64_t budget_bytes() const { return options_.budget_bytes; }

  // For imports: the end of one that was begun, in either way.
  absl::StatusOr<Import::Result> Store(CaptureInfo info, Bundle bundle, IncomingArchive* archive)
      ABSL_LOCKS_EXCLUDED(mutex_, commit_mutex_);
  void EndImport() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Record {
    CaptureInfo info;
    Bundle bundle;            // null: not in memory
    bool is_loading = false;  // a thread is reading it from disk
    uint64_t last_use = 0;
  };

  absl::Status NotFound(const std::string& id) const ABSL_SHARED_LOCKS_REQUIRED(mutex_);
  std::optional<CaptureInfo> FindByKeyLocked(const std::string& key) const
      ABSL_SHARED_LOCKS_REQUIRED(mutex_);
  int64_t ImportTime() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  // What a change unloads. Declared before the lock, it frees the memory and tells the listener
  // after the lock was released.
  struct Unloaded {
    explicit Unloaded(State* of) : store(of) {}
    ~Unloaded() { store->Tell(ids); }
    Unloaded(const Unloaded&) = delete;
    Unloaded& operator=(const Unloaded&) = delete;

    State* const store;
    std::vector<Bundle> bundles;
    std::vector<std::string> ids;
  };
  void Tell(const std::vector<std::string>& unloaded) ABSL_LOCKS_EXCLUDED(listener_mutex_);

  // Gives the record its capture and frees memory of others until the budget holds.
  std::vector<EvictionInfo> Insert(Record* record, Bundle bundle, Unloaded* unloaded)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  EvictionInfo Evict(const std::string& id, const std::string& reason, Unloaded* unloaded)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The loaded capture that was not used for longest, except `but`; null: none.
  Record* LeastRecentlyUsed(const Record* but) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  absl::StatusOr<Bundle> ReadFromDisk(const CaptureInfo& info) const;
  absl::StatusOr<Bundle> FinishLoading(const std::string& id, absl::StatusOr<Bundle> bundle)
      ABSL_LOCKS_EXCLUDED(mutex_);

  const StoreOptions options_;
  std::unique_ptr<StoreDirectory> directory_;  // null: memory only; set before anyone else calls

  Mutex listener_mutex_;
  UnloadListener listener_ ABSL_GUARDED_BY(listener_mutex_);

  Mutex commit_mutex_ ABSL_ACQUIRED_BEFORE(mutex_);
  mutable Mutex mutex_;
  ConditionVariable loading_ended_;
  std::map<std::string, Record> records_ ABSL_GUARDED_BY(mutex_);
  std::deque<EvictionInfo> evictions_ ABSL_GUARDED_BY(mutex_);
  uint64_t used_bytes_ ABSL_GUARDED_BY(mutex_) = 0;
  uint64_t use_count_ ABSL_GUARDED_BY(mutex_) = 0;
  uint32_t imports_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t last_import_time_ ABSL_GUARDED_BY(mutex_) = 0;
};

namespace {

class ArchiveImport final : public CaptureStore::Import {
 public:
  ArchiveImport(std::shared_ptr<CaptureStore::State> store, CaptureInfo info,
                std::unique_ptr<IncomingArchive> archive);
  ~ArchiveImport() override;

  absl::Status Feed(std::string_view bytes) override;
  absl::StatusOr<Result> Finish() override;

 private:
  const std::shared_ptr<CaptureStore::State> store_;
  CaptureInfo info_;
  std::unique_ptr<IncomingArchive> archive_;  // null: memory only
  archive::ArchiveDecoder decoder_;
};

}  // namespace

absl::Status CaptureStore::State::OpenDirectory() {
  absl::StatusOr<std::unique_ptr<StoreDirectory>> directory =
      StoreDirectory::Open(options_.directory);
  if (!directory.ok()) return directory.status();
  directory_ = *std::move(directory);
  const MutexLock lock(&mutex_);
  for (CaptureInfo& info : directory_->Scan()) {
    info.on_disk = true;
    last_import_time_ = std::max(last_import_time_, info.import_time_unix_ms);
    Record& record = records_[info.id];
    record.info = std::move(info);
  }
  spdlog::info("store: {} captures in {}", records_.size(), options_.directory);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<CaptureStore::Import>> CaptureStore::State::BeginImport(
    const ImportLabels& labels) {
  if (absl::Status status = CheckLabels(labels); !status.ok()) return status;
  CaptureInfo info;
  info.import = labels;
  {
    const MutexLock lock(&mutex_);
    if (imports_ >= options_.max_imports) {
      return absl::ResourceExhaustedError(fmt::format(
          "{} imports are under way, which is the limit; try again when one is done", imports_));
    }
    do {
      info.id = options_.new_id();
    } while (records_.contains(info.id));
    ++imports_;
  }
  absl::StatusOr<std::unique_ptr<IncomingArchive>> archive = nullptr;
  if (directory_) archive = directory_->NewArchive(info.id);
  if (!archive.ok()) {
    EndImport();
    return archive.status();
  }
  return std::make_unique<ArchiveImport>(shared_from_this(), std::move(info), *std::move(archive));
}

void CaptureStore::State::EndImport() {
  const MutexLock lock(&mutex_);
  --imports_;
}

std::optional<CaptureInfo> CaptureStore::State::FindByKey(const std::string& key) const {
  const MutexLock lock(&mutex_);
  return FindByKeyLocked(key);
}

std::optional<CaptureInfo> CaptureStore::State::FindByKeyLocked(const std::string& key) const {
  if (key.empty()) return std::nullopt;
  for (const auto& [id, record] : records_) {
    if (record.info.import.idempotency_key == key) return record.info;
  }
  return std::nullopt;
}

std::vector<CaptureInfo> CaptureStore::State::List(
    const std::map<std::string, std::string>& labels) const {
  std::vector<CaptureInfo> captures;
  {
    const MutexLock lock(&mutex_);
    for (const auto& [id, record] : records_) {
      if (HasLabels(record.info, labels)) captures.push_back(record.info);
    }
  }
  std::sort(captures.begin(), captures.end(), [](const CaptureInfo& a, const CaptureInfo& b) {
    return std::tie(a.import_time_unix_ms, a.id) < std::tie(b.import_time_unix_ms, b.id);
  });
  return captures;
}

absl::StatusOr<CaptureInfo> CaptureStore::State::Get(const std::string& id) const {
  const MutexLock lock(&mutex_);
  const auto found = records_.find(id);
  if (found == records_.end()) return NotFound(id);
  return found->second.info;
}

absl::Status CaptureStore::State::NotFound(const std::string& id) const {
  for (const EvictionInfo& eviction : evictions_) {
    if (eviction.capture_id != id || eviction.still_on_disk) continue;
    return absl::NotFoundError(fmt::format(
        "capture {} was dropped {} s ago: {}; import it again, or give the daemon more memory "
        "(--store-bytes) or a directory (--store-dir)",
        id, (options_.now_unix_ms() - eviction.time_unix_ms) / 1000, eviction.reason));
  }
  return absl::NotFoundError(
      fmt::format("there is no capture {}; `simplerctl list` shows what the daemon holds", id));
}

// Wall time, but later than every import before, so that the order of imports is kept.
int64_t CaptureStore::State::ImportTime() {
  last_import_time_ = std::max(options_.now_unix_ms(), last_import_time_ + 1);
  return last_import_time_;
}

absl::StatusOr<CaptureStore::Import::Result> CaptureStore::State::Store(CaptureInfo info,
                                                                        Bundle bundle,
                                                                        IncomingArchive* archive) {
  const MutexLock commit(&commit_mutex_);
  {
    const MutexLock lock(&mutex_);
    if (std::optional<CaptureInfo> known = FindByKeyLocked(info.import.idempotency_key)) {
      return Import::Result{.capture = *std::move(known), .already_stored = true, .evictions = {}};
    }
    info.import_time_unix_ms = ImportTime();
  }
  if (archive != nullptr) {
    if (absl::Status status = archive->Commit(info); !status.ok()) return status;
    info.on_disk = true;
  }
  Unloaded unloaded(this);
  Import::Result result;
  const MutexLock lock(&mutex_);
  Record& record = records_[info.id];
  record.info = std::move(info);
  result.evictions = Insert(&record, std::move(bundle), &unloaded);
  result.capture = record.info;
  spdlog::info("store: imported {}: {} bytes, {} in memory", record.info.id,
               record.info.archive_bytes, record.info.memory_bytes);
  return result;
}

std::vector<EvictionInfo> CaptureStore::State::Insert(Record* record, Bundle bundle,
                                                      Unloaded* unloaded) {
  record->bundle = std::move(bundle);
  record->info.in_memory = true;
  record->last_use = ++use_count_;
  used_bytes_ += record->info.memory_bytes;
  std::vector<EvictionInfo> evictions;
  while (used_bytes_ > options_.budget_bytes) {
    Record* victim = LeastRecentlyUsed(record);
    if (victim == nullptr) break;
    evictions.push_back(
        Evict(victim->info.id,
              fmt::format("{} needed its memory, and it was not used for longest", record->info.id),
              unloaded));
  }
  return evictions;
}

CaptureStore::State::Record* CaptureStore::State::LeastRecentlyUsed(const Record* but) {
  Record* oldest = nullptr;
  for (auto& [id, record] : records_) {
    if (record.bundle == nullptr || &record == but) continue;
    if (oldest == nullptr || record.last_use < oldest->last_use) oldest = &record;
  }
  return oldest;
}

EvictionInfo CaptureStore::State::Evict(const std::string& id, const std::string& reason,
                                        Unloaded* unloaded) {
  Record& record = records_.at(id);
  EvictionInfo eviction{.capture_id = id,
                        .name = record.info.import.name,
                        .reason = reason,
                        .time_unix_ms = options_.now_unix_ms(),
                        .memory_bytes = record.info.memory_bytes,
                        .still_on_disk = record.info.on_disk};
  spdlog::info("store: {} {} ({} bytes): {}", eviction.still_on_disk ? "unloaded" : "dropped", id,
               eviction.memory_bytes, reason);
  unloaded->bundles.push_back(std::move(record.bundle));
  unloaded->ids.push_back(id);
  used_bytes_ -= record.info.memory_bytes;
  record.info.in_memory = false;
  if (!record.info.on_disk) records_.erase(id);
  evictions_.push_back(eviction);
  if (evictions_.size() > kRememberedEvictions) evictions_.pop_front();
  return eviction;
}

absl::StatusOr<Bundle> CaptureStore::State::Load(const std::string& id) {
  CaptureInfo info;
  {
    const MutexLock lock(&mutex_);
    for (;;) {
      const auto found = records_.find(id);
      if (found == records_.end()) return NotFound(id);
      Record& record = found->second;
      if (record.bundle != nullptr) {
        record.last_use = ++use_count_;
        return record.bundle;
      }
      if (!record.is_loading) {
        record.is_loading = true;
        info = record.info;
        break;
      }
      // Another thread is at it.
      loading_ended_.Wait(&mutex_);
    }
  }
  absl::StatusOr<Bundle> bundle = ReadFromDisk(info);
  if (!bundle.ok()) {
    // A deletion may have taken the file away. Once it is over, the id is unknown.
    const MutexLock no_deletion(&commit_mutex_);
    return FinishLoading(id, std::move(bundle));
  }
  return FinishLoading(id, std::move(bundle));
}

absl::StatusOr<Bundle> CaptureStore::State::ReadFromDisk(const CaptureInfo& info) const {
  absl::StatusOr<capture::CaptureBundle> bundle = archive::ReadArchive(
      directory_->ArchivePath(info.id), {.max_bundle_bytes = options_.budget_bytes});
  if (bundle.ok()) return std::make_shared<const capture::CaptureBundle>(*std::move(bundle));
  if (bundle.status().code() == absl::StatusCode::kResourceExhausted) {
    return NameTheBudget(bundle.status());
  }
  return absl::DataLossError(fmt::format("the stored archive does not read any more: {}",
                                         std::string(bundle.status().message())));
}

absl::StatusOr<Bundle> CaptureStore::State::FinishLoading(const std::string& id,
                                                          absl::StatusOr<Bundle> bundle) {
  Unloaded unloaded(this);
  const MutexLock lock(&mutex_);
  loading_ended_.NotifyAll();
  const auto found = records_.find(id);
  // Deleted meanwhile.
  if (found == records_.end()) return NotFound(id);
  found->second.is_loading = false;
  if (bundle.ok()) Insert(&found->second, *bundle, &unloaded);
  return bundle;
}

absl::Status CaptureStore::State::Delete(const std::string& id) {
  const MutexLock commit(&commit_mutex_);
  {
    const MutexLock lock(&mutex_);
    if (!records_.contains(id)) return NotFound(id);
  }
  if (directory_) {
    if (absl::Status status = directory_->Remove(id); !status.ok()) return status;
  }
  Bundle dropped;
  const MutexLock lock(&mutex_);
  const auto found = records_.find(id);
  if (found == records_.end()) return absl::OkStatus();  // evicted in between
  if (found->second.bundle != nullptr) used_bytes_ -= found->second.info.memory_bytes;
  dropped = std::move(found->second.bundle);
  records_.erase(found);
  spdlog::info("store: deleted {}", id);
  return absl::OkStatus();
}

void CaptureStore::State::OnUnload(UnloadListener listener) {
  const MutexLock lock(&listener_mutex_);
  listener_ = std::move(listener);
}

void CaptureStore::State::Tell(const std::vector<std::string>& unloaded) {
  const MutexLock lock(&listener_mutex_);
  if (!listener_) return;
  for (const std::string& id : unloaded) listener_(id);
}

StoreUsage CaptureStore::State::usage() const {
  const MutexLock lock(&mutex_);
  return {.used_bytes = used_bytes_,
          .budget_bytes = options_.budget_bytes,
          .captures = records_.size()};
}

std::vector<EvictionInfo> CaptureStore::State::evictions() const {
  const MutexLock lock(&mutex_);
  return {evictions_.begin(), evictions_.end()};
}

namespace {

ArchiveImport::ArchiveImport(std::shared_ptr<CaptureStore::State> store, CaptureInfo info,
                             std::unique_ptr<IncomingArchive> archive)
    : store_(std::move(store)),
      info_(std::move(info)),
      archive_(std::move(archive)),
      decoder_("the archive", {.max_bundle_bytes = store_->budget_bytes()}) {}

ArchiveImport::~ArchiveImport() { store_->EndImport(); }

absl::Status ArchiveImport::Feed(std::string_view bytes) {
  if (absl::Status status = decoder_.Feed(bytes); !status.ok()) return status;
  info_.archive_bytes += bytes.size();
  return archive_ ? archive_->Append(bytes) : absl::OkStatus();
}

absl::StatusOr<CaptureStore::Import::Result> ArchiveImport::Finish() {
  absl::StatusOr<capture::CaptureBundle> bundle = decoder_.Finish();
  if (!bundle.ok()) return NameTheBudget(bundle.status());
  CaptureInfo info = Describe(*bundle);
  info.id = info_.id;
  info.import = std::move(info_.import);
  info.archive_bytes = info_.archive_bytes;
  info.memory_bytes = decoder_.bundle_bytes();
  return store_->Store(std::move(info),
                       std::make_shared<const capture::CaptureBundle>(*std::move(bundle)),
                       archive_.get());
}

}  // namespace

absl::StatusOr<std::unique_ptr<CaptureStore>> CaptureStore::Open(const StoreOptions& options) {
  auto state = std::make_shared<State>(options);
  if (!options.directory.empty()) {
    if (absl::Status status = state->OpenDirectory(); !status.ok()) return status;
  }
  return std::unique_ptr<CaptureStore>(new CaptureStore(std::move(state)));
}

CaptureStore::CaptureStore(std::shared_ptr<State> state) : state_(std::move(state)) {}
CaptureStore::~CaptureStore() = default;

absl::StatusOr<std::unique_ptr<CaptureStore::Import>> CaptureStore::BeginImport(
    const ImportLabels& labels) {
  return state_->BeginImport(labels);
}

std::optional<CaptureInfo> CaptureStore::FindByKey(const std::string& idempotency_key) const {
  return state_->FindByKey(idempotency_key);
}

std::vector<CaptureInfo> CaptureStore::List(
    const std::map<std::string, std::string>& labels) const {
  return state_->List(labels);
}

absl::StatusOr<CaptureInfo> CaptureStore::Get(const std::string& id) const {
  return state_->Get(id);
}

absl::StatusOr<std::shared_ptr<const capture::CaptureBundle>> CaptureStore::Load(
    const std::string& id) {
  return state_->Load(id);
}

absl::Status CaptureStore::Delete(const std::string& id) { return state_->Delete(id); }
StoreUsage CaptureStore::usage() const { return state_->usage(); }
std::vector<EvictionInfo> CaptureStore::evictions() const { return state_->evictions(); }
void CaptureStore::OnUnload(UnloadListener listener) { state_->OnUnload(std::move(listener)); }
const std::string& CaptureStore::directory() const { return state_->directory(); }

}  // namespace simpler::daemon
