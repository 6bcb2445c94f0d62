public import Foundation
internal import Glibc
internal import Modeling

/// A line that ran over a socket, and what came of it.
public struct TranscriptEntry: Hashable, Sendable {
  /// What happens to the line, or to the save that it proposes.
  public enum Moment: String, Sendable {
    case begun, ended
    case proposed, approved, refused, withdrawn
  }

  /// What happens.
  public var moment: Moment
  /// When.
  public var time: Date
  /// The number of the attached client, from 1.
  public var client: Int
  /// The user of the client: the number and the name.
  public var user: (id: UInt32, name: String) { (userID, userName) }
  /// The process of the client.
  public var process: Int32
  /// Why the person attached; nil where the console does not ask.
  public var reason: String?
  /// What was entered.
  public var line: String
  /// The exit status; nil before it has run.
  public var status: Int32?
  /// The rows that were shown.
  public var rows: Int?
  /// How long it ran.
  public var milliseconds: Double?
  /// What it saved, or proposes to save, as lines like `~ Order 3: total 5.0 → 7.0`.
  public var diff: String?
  /// The number of the proposal.
  public var proposal: Int?
  /// Who approved or refused the proposal: `the program`, `client 2 (ada)`.
  public var decider: String?

  let userID: UInt32
  let userName: String

  init(_ moment: Moment, client: Int, userID: UInt32, userName: String, process: Int32, line: String) {
    (self.moment, time, self.client) = (moment, Date(timeIntervalSince1970: OutsideWorld.current.time()), client)
    (self.userID, self.userName, self.process, self.line) = (userID, userName, process, line)
  }

  /// The entry as a line of JSON, without its end.
  public var json: String {
    var members: [String: JSON] = [
      "moment": .string(moment.rawValue), "time": .string(Timestamp(time.timeIntervalSince1970).iso8601),
      "client": .int(Int64(client)), "uid": .int(Int64(userID)), "user": .string(userName),
      "pid": .int(Int64(process)), "line": .string(line),
    ]
    members["reason"] = reason.map(JSON.string)
    members["status"] = status.map { .int(Int64($0)) }
    members["rows"] = rows.map { .int(Int64($0)) }
    members["milliseconds"] = milliseconds.map { .double(($0 * 1000).rounded() / 1000) }
    members["diff"] = diff.map(JSON.string)
    members["proposal"] = proposal.map { .int(Int64($0)) }
    members["decider"] = decider.map(JSON.string)
    return JSON.object(members).outputText
  }
}

/// The file of a transcript, to which entries are appended, each before the next step.
final class TranscriptFile: Sendable {
  private let descriptor: Int32

  /// - Throws: ConsoleError if the file cannot be opened.
  init(_ path: String) throws {
    descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    if descriptor < 0 {
      throw ConsoleError("the transcript '\(path)' cannot be written: \(String(cString: strerror(errno)))")
    }
  }

  deinit { close(descriptor) }

  func write(_ entry: TranscriptEntry) throws {
    let bytes = Array((entry.json + "\n").utf8)
    let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    if count != bytes.count { throw ConsoleError("the transcript cannot be written") }
  }
}
