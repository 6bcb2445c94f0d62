import Foundation
import TestSupport

/// A file that is gone when the test is over.
final class TemporaryFile {
  let path = TemporaryFolder.ofThisRun.path + "/modeling-\(UUID().uuidString)"

  init(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }

  deinit { unlink(path) }
}
