internal import Foundation
internal import Glibc
internal import PeriluneKit
internal import RemoteConsole

/// What all clients of a listener have in common.
struct ListenerSettings: Sendable {
  let opening: ContainerOpening
  let definitions: [Definition]
  let limits: ConsoleLimits
  let access: ConsoleAccess
  /// Whether clients say why they attach.
  let asksReason: Bool
  let proposals: Proposals
  let pauses: Pauses
  /// The pause to which all clients go; nil where each has a session beside the program.
  var pause: Pause?
  let onProposal: (@Sendable (ConsoleProposal) -> Void)?
  /// Takes the entries of the transcript; set once the listener is made.
  private(set) var transcript: (@Sendable (TranscriptEntry) throws -> Void)?
  let programName = ProcessInfo.processInfo.processName

  init(
    opening: ContainerOpening, definitions: [Definition], limits: ConsoleLimits, access: ConsoleAccess,
    asksReason: Bool, transcript: (@Sendable (TranscriptEntry) throws -> Void)?, proposals: Proposals, pauses: Pauses,
    onProposal: (@Sendable (ConsoleProposal) -> Void)?
  ) {
    (self.opening, self.definitions, self.limits, self.access) = (opening, definitions, limits, access)
    (self.transcript, self.proposals, self.onProposal) = (transcript, proposals, onProposal)
    (self.pauses, self.asksReason) = (pauses, asksReason)
  }

  /// Whether a client may have the prompt of a pause: a person who may write.
  func letsPause(_ hello: ClientRequest.Hello) -> Bool { hello.isInteractive && access == .full }

  /// Keeps the transcript in a file, unless the program takes it.
  mutating func keepTranscript(in path: String) throws {
    guard transcript == nil else { return }
    let file = try TranscriptFile(path)
    transcript = { try file.write($0) }
  }

  /// Takes an entry of the transcript.
  func record(_ entry: TranscriptEntry) throws {
    guard let transcript else { throw ConsoleError("there is no transcript") }
    try transcript(entry)
  }

  /// Takes what happens to a proposal.
  func record(
    _ moment: TranscriptEntry.Moment, _ proposal: ConsoleProposal, of attachment: Attachment, decider: String? = nil
  ) throws {
    var entry = entry(moment, of: attachment, proposal.line)
    (entry.proposal, entry.diff, entry.decider) = (proposal.number, proposal.diff, decider)
    try record(entry)
  }

  /// The name of a user; the number where there is none.
  func userName(_ user: UInt32) -> String {
    var record = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var room = [CChar](repeating: 0, count: 4096)
    let status = getpwuid_r(user, &record, &room, room.count, &found)
    return status == 0 && found != nil ? String(cString: record.pw_name) : String(user)
  }

  /// An entry of the transcript for a line of a client.
  func entry(_ moment: TranscriptEntry.Moment, of attachment: Attachment, _ line: String) -> TranscriptEntry {
    var entry = TranscriptEntry(
      moment, client: attachment.number, userID: attachment.peer.user, userName: userName(attachment.peer.user),
      process: attachment.peer.process, line: line)
    entry.reason = attachment.reason
    return entry
  }
}
