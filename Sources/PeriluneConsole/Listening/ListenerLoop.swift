internal import Foundation
internal import Glibc
internal import Modeling
internal import RemoteConsole
internal import Synchronization

/// The thread that accepts clients and reads what they send.
final class ListenerLoop: Sendable {
  private let descriptor: Int32
  private let path: String
  private let settings: ListenerSettings
  /// A client that is connected from the beginning.
  private let first: Int32?
  private let waker = WakePipe()
  private let clients = Clients()
  private let isClosed = Mutex(false)

  /// A client of which the thread reads.
  private struct Reading {
    let attachment: Attachment
    var reader = FrameReader()
    /// When the client is to have said who it is; nil once it has.
    var deadline: Double?
  }

  /// The most that have connected and not said `hello`; of more, the first are cut off.
  private static let mostSilent = 64
  /// How long a client may be silent before `hello`, in seconds.
  private static let patience = 5.0
  /// How long a person may think of the reason, in seconds.
  private static let reasonPatience = 300.0
  /// The longest reason, in bytes.
  private static let mostOfReason = 1000

  init(_ descriptor: Int32, _ path: String, _ settings: ListenerSettings) {
    (self.descriptor, self.path, self.settings, first) = (descriptor, path, settings, nil)
  }

  /// Serves one client within the process, and accepts no other.
  init(connected first: Int32, _ settings: ListenerSettings) {
    (descriptor, path, self.settings, self.first) = (-1, "", settings, first)
  }

  deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

  var clientCount: Int { clients.count }

  func start() { Self.thread("console") { [self] in run() } }

  /// Ends the thread, which ends the clients.
  func close() {
    let isFirst = isClosed.withLock { isClosed in
      defer { isClosed = true }
      return !isClosed
    }
    guard isFirst else { return }
    clients.close()
    if !path.isEmpty { unlink(path) }
    waker.wake()
  }

  /// Starts a thread that handles no signals of the program.
  private static func thread(_ name: String, _ body: @escaping @Sendable () -> Void) {
    let thread = Thread {
      var all = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_BLOCK, &all, nil)
      body()
    }
    (thread.name, thread.stackSize) = (name, 8 << 20)
    thread.start()
  }

  // MARK: The loop

  private func run() {
    var readings: [Int32: Reading] = [:]
    var lastNumber = 0
    if let first { welcome(first, &readings, &lastNumber) }
    while !isClosed.withLock({ $0 }) {
      var watched = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
      watched.append(pollfd(fd: waker.descriptor, events: Int16(POLLIN), revents: 0))
      watched += readings.keys.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&watched, nfds_t(watched.count), 1000) >= 0 || errno == EINTR else { break }
      if watched[0].revents != 0 { accept(&readings, &lastNumber) }
      for ready in watched.dropFirst(2) where ready.revents != 0 {
        if var reading = readings[ready.fd] { readings[ready.fd] = read(&reading) ? reading : nil }
      }
      dropSilent(&readings)
    }
    for reading in readings.values { reading.attachment.close() }
  }

  private func accept(_ readings: inout [Int32: Reading], _ lastNumber: inout Int) {
    while true {
      let accepted = Glibc.accept(descriptor, nil, nil)
      guard accepted >= 0 else { return }
      welcome(accepted, &readings, &lastNumber)
    }
  }

  /// Begins to read what a client sends that has connected.
  private func welcome(_ connected: Int32, _ readings: inout [Int32: Reading], _ lastNumber: inout Int) {
    _ = fcntl(connected, F_SETFL, O_NONBLOCK)
    _ = fcntl(connected, F_SETFD, FD_CLOEXEC)
    guard let peer = ConsoleSocket.peer(of: connected) else {
      Glibc.close(connected)
      return
    }
    lastNumber += 1
    let attachment = Attachment(connected, peer, number: lastNumber)
    if peer.user != geteuid() {
      refuse(attachment, "the console is another user's")
    } else {
      dropFirstSilent(&readings)
      let deadline = connected == first ? .infinity : Self.now + Self.patience
      readings[connected] = Reading(attachment: attachment, deadline: deadline)
    }
  }

  /// Reads what has come; false once the client is gone or sends what is no message.
  private func read(_ reading: inout Reading) -> Bool {
    var room = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(reading.attachment.descriptor, &room, room.count, 0)
    if count < 0, errno == EAGAIN || errno == EINTR { return true }
    guard count > 0 else {
      reading.attachment.close()
      return false
    }
    room.withUnsafeBytes { reading.reader.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    do throws(FrameReader.Fault) {
      while let message = try reading.reader.next() {
        guard let request = ClientRequest(message) else {
          return refuse(reading.attachment, "the message is none of these")
        }
        guard take(request, &reading) else { return false }
      }
      return true
    } catch {
      switch error {
      case .tooLong(let count):
        return refuse(reading.attachment, "a message of \(count) bytes: expected at most \(Frame.mostBytes)")
      case .notJSON: return refuse(reading.attachment, "a message is no JSON")
      }
    }
  }

  private func take(_ request: ClientRequest, _ reading: inout Reading) -> Bool {
    guard case .hello(let hello) = request else {
      guard reading.deadline == nil else { return refuse(reading.attachment, "expected 'hello' first") }
      if request == .leave {
        reading.attachment.leave()
        return false
      }
      return reading.attachment.add(request) || refuse(reading.attachment, "too many messages wait")
    }
    guard reading.deadline != nil else { return refuse(reading.attachment, "'hello' came twice") }
    guard hello.version == RemoteConsole.version else {
      return refuse(
        reading.attachment, "the console speaks version \(RemoteConsole.version), the client \(hello.version)")
    }
    if settings.asksReason {
      let reason = (hello.reason ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
      guard !reason.isEmpty else {
        reading.deadline = Self.now + Self.reasonPatience
        return reading.attachment.send(.reasonAsked)
      }
      guard reason.utf8.count <= Self.mostOfReason else {
        return refuse(
          reading.attachment, "a reason of \(reason.utf8.count) bytes: expected at most \(Self.mostOfReason)")
      }
      reading.attachment.reason = reason
    }
    guard clients.add(reading.attachment) else {
      return refuse(reading.attachment, "\(Clients.most) clients are attached already")
    }
    reading.deadline = nil
    let arrival = Clients.Arrival(attachment: reading.attachment, hello: hello)
    if !clients.resume(arrival) {
      Self.thread("console client \(arrival.attachment.number)") { [settings, clients] in
        ClientThread(settings: settings, clients: clients).run(arrival)
      }
    }
    return true
  }

  @discardableResult
  private func refuse(_ attachment: Attachment, _ reason: String) -> Bool {
    // The reason fits into the socket's buffer, so that nothing waits here.
    _ = ConsoleSocket.send(Frame.bytes(of: ServerEvent.refused(reason).message), to: attachment.descriptor, patience: 0)
    attachment.close()
    return false
  }

  private func dropFirstSilent(_ readings: inout [Int32: Reading]) {
    let silent = readings.compactMap { key, reading in reading.deadline.map { (key, $0) } }
    guard silent.count >= Self.mostSilent, let first = silent.min(by: { $0.1 < $1.1 })?.0 else { return }
    readings.removeValue(forKey: first)?.attachment.close()
  }

  private func dropSilent(_ readings: inout [Int32: Reading]) {
    let now = Self.now
    for (key, reading) in readings where reading.deadline.map({ $0 < now }) ?? false {
      refuse(reading.attachment, "there was no 'hello' for \(Int(Self.patience)) seconds")
      readings[key] = nil
    }
  }

  private static var now: Double { monotonicSeconds() }
}
