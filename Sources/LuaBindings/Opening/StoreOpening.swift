internal import Stores

/// A way to open stores: the paths that it takes, and what to do with them.
///
/// To add one, write it in a file of its own and name it in `all`. Only these files know kinds of stores.
struct StoreOpening {
  /// Whether a path is for this opening.
  let takes: (_ path: String) -> Bool
  /// Why scripts do not open such a path in the sandbox.
  let refusalInSandbox: String
  /// Where the copy comes from that a migration with losses leaves, for a sentence about it.
  let copyBeforeLosses: String
  /// Whether the path is an address, and names no file.
  let isAddress: Bool
  /// Examines a store, without opening it for scripts.
  let examine: (_ path: String, _ isInterrupted: @escaping () -> Bool) -> StoreDiagnosis
  /// Opens a store.
  let open: (StoreOptions, Engine) throws -> any OpenedStore

  /// The openings, in the order in which they are asked. The last takes every path.
  static var all: [StoreOpening] { [server, file] }

  /// The opening for a path.
  static func of(_ path: String) -> StoreOpening { all.first { $0.takes(path) } ?? file }
}
