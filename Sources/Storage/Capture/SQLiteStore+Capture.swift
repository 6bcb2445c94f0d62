internal import CSQLite
import Modeling

extension SQLiteStore {
  /// Has `body` told of what each transaction changed, after its commit; nil where nothing can be written.
  public func onCommit(_ body: @escaping (ChangeSet) -> Void) -> CommitSubscription? { recorder?.subscribe(body) }

  /// Runs `body`, which commits, with the transaction's changes recorded in it.
  func committing<Result>(_ body: () throws -> Result) throws -> Result {
    guard let recorder else { return try body() }
    return try recorder.committing(body)
  }

  /// Begins to watch what is written.
  func makeRecorder() -> CommitRecorder {
    let capture = ChangeCapture(connection, names: tableNames)
    let recorder = CommitRecorder(connection, capture, SaveJournal(connection, isInFile: kind == .perilune))
    // Scripts ask these about their own statements, after the journal has written its rows.
    let asked = RecorderReference(recorder)
    connection.register(function: "changes", arguments: 0, deterministic: false, context: asked) { context, _, _ in
      sqlite3_result_int64(context, recorderAsked(context)?.lastChanges ?? 0)
    }
    connection.register(function: "total_changes", arguments: 0, deterministic: false, context: asked) {
      context, _, _ in sqlite3_result_int64(context, recorderAsked(context)?.totalChanges ?? 0)
    }
    return recorder
  }

  private var tableNames: [String: ChangeCapture.TableNames] {
    var names: [String: ChangeCapture.TableNames] = [:]
    for entity in model.entities {
      let layout = layout(of: entity)
      let table = asciiLowercased(layout.table)
      names[table, default: ChangeCapture.TableNames()].entity = entity.root
      // SQLite itself tells which columns it generates; triggers of other files are nobody's promise.
      for column in layout.columns where kind == .perilune && !column.isWritable {
        names[table, default: ChangeCapture.TableNames()].computed.insert(asciiLowercased(column.name))
      }
    }
    return names
  }
}

/// What functions of the connection know the recorder by: the connection must not keep it, which keeps the connection.
private final class RecorderReference {
  weak var recorder: CommitRecorder?
  init(_ recorder: CommitRecorder) { self.recorder = recorder }
}

private func recorderAsked(_ context: OpaquePointer?) -> CommitRecorder? {
  sqlite3_user_data(context).flatMap { Unmanaged<RecorderReference>.fromOpaque($0).takeUnretainedValue().recorder }
}
