// Simulates runs: `simulate SCRIPT FOLDER` reads a case from each line of standard input and answers each by a line.
//
//     1789 40             "fine DIGEST", or "WRONG" and what is wrong, after two runs whose logs must be the same
//     log 1789 40 3,7     the log, as many lines as the first line of the answer says

import Foundation
import Simulation

let arguments = CommandLine.arguments
guard arguments.count == 3 else {
  FileHandle.standardError.write(Data("usage: simulate SCRIPT FOLDER\n".utf8))
  exit(64)
}

func say(_ line: some StringProtocol) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

while let line = readLine() {
  let wantsLog = line.hasPrefix("log ")
  guard let example = SimulationCase(wantsLog ? line.dropFirst(4) : line[...]) else {
    say("WRONG: no case: \(line)")
    continue
  }
  let simulation = Simulation(
    example, script: URL(filePath: arguments[1]), folder: URL(filePath: arguments[2]).appending(path: "run"))
  if wantsLog {
    let lines = simulation.run().log.split(separator: "\n")
    say(String(lines.count))
    for line in lines { say(line) }
  } else {
    let (log, failure) = simulation.runTwice()
    let digest = log.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    say(failure.map { "WRONG " + $0.replacing("\n", with: " | ") } ?? "fine \(String(digest, radix: 16))")
  }
}
