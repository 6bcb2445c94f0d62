import Foundation
import Testing

/// What nothing can stop ends the process: some seconds past the time limit, or at the third Ctrl-C.
@Suite struct LastResortTests {
  @Test func pastTheTimeLimitTheProcessIsEnded() throws {
    let result = try BuiltProgram().run(["--timeout", "0.1", "-e", "os.execute 'exec sleep 25'"])
    #expect(result.status == 124)
    #expect(result.errors.contains("nothing could stop what ran 5 s past the time limit"), "\(result)")
  }

  @Test func theThirdInterruptEndsTheProcess() throws {
    // pclose waits again after a signal.
    let wait = "local pipe = io.popen 'exec sleep 25' io.stderr:write 'ready' pipe:close()"
    let command = """
      perilune -e "$1" & process=$!
      sleep 0.5; kill -INT $process; sleep 1; kill -INT $process; sleep 1.2; kill -INT $process; sleep 0.2
      kill -INT $process; wait $process; echo "status $?"
      """
    let result = try BuiltProgram().shell(["bash", "-c", command, "bash", wait])
    #expect(result.output.contains("status 130"), "\(result)")
    #expect(result.errors.contains("the process was ended at the third Ctrl-C"), "\(result)")
  }

  @Test func whatIsStoppedInTimeGoesOnToItsEnd() throws {
    let program = try BuiltProgram()
    let result = try program.run(["--timeout", "0.1", "-e", "while true do pcall(string.rep, 'x', 1000) end"])
    #expect(result.status == 124)
    #expect(result.errors.contains("the time limit stopped it") && !result.errors.contains("nothing could stop"))
  }
}
