package door

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
)

// Name is the name under which this program restricts itself.
const Name = "chant: behind the wall"

const (
	self         = "/proc/self/exe"
	restrictSelf = 446 // landlock_restrict_self, the same on all architectures
	before       = 4   // arguments in front of the command's: the name, two descriptors, the path
)

// Enter starts a command in a process that first restricts itself by a set of Landlock's rules. The calling process must
// have given up new privileges on its thread. Errors: those of exec.Cmd.Start; the command has not started then.
func Enter(cmd *exec.Cmd, rules *os.File) error {
	if cmd.Err != nil {
		return cmd.Err
	}
	said, says, err := os.Pipe()
	if err != nil {
		return err
	}
	defer said.Close()
	path, args, files := cmd.Path, cmd.Args, cmd.ExtraFiles
	cmd.ExtraFiles = append(append([]*os.File{}, files...), rules, says)
	first := 3 + len(files)
	cmd.Args = append([]string{Name, strconv.Itoa(first), strconv.Itoa(first + 1), path}, args...)
	cmd.Path = self
	err = cmd.Start()
	cmd.Path, cmd.Args, cmd.ExtraFiles = path, args, files
	says.Close()
	if err != nil {
		return err
	}
	// The pipe is closed by the kernel where the process becomes the command.
	answer, err := io.ReadAll(said)
	if err == nil && len(answer) == 0 {
		return nil
	}
	_ = cmd.Wait() // it says what answer says
	number, bad := strconv.Atoi(string(answer))
	if err != nil || bad != nil {
		return fmt.Errorf("start %q behind the wall: %q, %w", path, answer, err)
	}
	return &fs.PathError{Op: "start behind the wall", Path: path, Err: syscall.Errno(number)}
}

// init runs on the thread that becomes the command.
func init() {
	if len(os.Args) <= before || os.Args[0] != Name {
		return
	}
	runtime.LockOSThread()
	rules, _ := strconv.Atoi(os.Args[1]) // 0 is no set of rules and refused below
	says, _ := strconv.Atoi(os.Args[2])
	syscall.CloseOnExec(rules)
	syscall.CloseOnExec(says)
	err := restrict(rules)
	if err == nil {
		err = syscall.Exec(os.Args[3], os.Args[before:], os.Environ())
	}
	number, is := err.(syscall.Errno)
	if !is {
		number = syscall.EINVAL
	}
	_, _ = syscall.Write(says, []byte(strconv.Itoa(int(number)))) // if this fails, the reader has gone
	os.Exit(127)
}

// restrict puts the calling thread behind the wall, without the capabilities of root by which it could get around it.
func restrict(rules int) error {
	if err := dropCapabilities(); err != nil {
		return err
	}
	if _, _, errno := syscall.Syscall(restrictSelf, uintptr(rules), 0, 0); errno != 0 {
		return errno
	}
	return nil
}
