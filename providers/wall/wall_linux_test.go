package wall

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
	"golang.org/x/sys/unix"
)

// scene is a folder with what a process behind the wall may and may not reach.
type scene struct{ top, tree, keys, other string }

func newScene(t *testing.T) scene {
	t.Helper()
	if s := Supported(); !s.Available {
		t.Skip(s.Why)
	}
	top, err := filepath.EvalSymlinks(t.TempDir())
	assert.NoError(t, err)
	s := scene{top, filepath.Join(top, "my tree"), filepath.Join(top, "keys"), filepath.Join(top, "other")}
	for _, dir := range []string{s.tree, s.keys, s.other} {
		assert.NoError(t, os.Mkdir(dir, 0o700))
		assert.NoError(t, os.WriteFile(filepath.Join(dir, "file"), []byte("content\n"), 0o600))
	}
	return s
}

func (s scene) policy() Policy { return Policy{Write: []string{s.tree}, Hide: []string{s.keys}} }

// run runs a line behind the wall and returns its output.
func (s scene) run(t *testing.T, line string) (string, error) {
	t.Helper()
	var out strings.Builder
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.tree, &out, &out
	around, err := Start(cmd, s.policy())
	assert.NoError(t, err)
	err = cmd.Wait()
	assert.NoError(t, around.End())
	return out.String(), err
}

// TestStart_allowed: what the policy allows works as without a wall.
func TestStart_allowed(t *testing.T) {
	t.Parallel()
	for name, line := range map[string]string{
		"write":       "echo x > new && cat new && mkdir d && mv new d/ && ln d/new e && rm e && ln -s /etc/passwd l && rm -r d",
		"read":        "cat ../other/file && ls .. >/dev/null && cat /etc/passwd >/dev/null",
		"devices":     ": > /dev/null && head -c 1 /dev/urandom >/dev/null",
		"pipes":       "echo x | cat | cat >/dev/stdout",
		"signals":     "sleep 60 & kill $! && wait $! || true",
		"executables": "cp /bin/true t && ./t",
		"temporary":   "mkfifo f && (echo x > f & cat f)",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, err := newScene(t).run(t, line)
			assert.NoError(t, err, "%s", out)
		})
	}
}

// TestStart_refused: nothing outside can be written, hidden files cannot be read, and descendants are behind the wall too.
func TestStart_refused(t *testing.T) {
	t.Parallel()
	for name, line := range map[string]string{
		"write":             "echo x > ../other/new",
		"overwrite":         "echo x > ../other/file",
		"append":            "echo x >> ../other/file",
		"truncate":          "truncate -s 0 ../other/file",
		"delete":            "rm -f ../other/file; ! test -e ../other/file",
		"move out":          "mv file ../other/moved",
		"move in":           "mv ../other/file stolen",
		"hard link in":      "ln ../other/file hard",
		"write by link":     "ln -s ../other l && echo x > l/new",
		"permissions":       "test -w ../keys/file && cat ../keys/file",
		"hidden":            "cat ../keys/file",
		"hidden by link":    "ln -s ../keys k && cat k/file",
		"hidden, hard link": "ln ../keys/file k && cat k",
		"hidden, copied":    "cp -r ../keys k",
		"a descendant":      "sh -c 'sh -c \"echo x > ../other/new\"'",
		"a daemon":          "(setsid sh -c 'echo x > ../other/new' </dev/null >/dev/null 2>&1; test -e ../other/new)",
		"a clean slate":     "env -i /bin/sh -c 'echo x > ../other/new'",
		"a signal":          "kill -9 $PPID",
		"a device":          "mknod d c 1 3",
		"a disk":            "mknod d b 8 0",
		"by /proc":          "echo x > /proc/self/cwd/../other/new",
		"by root of /proc":  "cat /proc/$PPID/root" + "/proc/version && echo x > /proc/$PPID/cwd/zz",
		"a mount":           "mount --bind ../keys . && cat file",
		"settings":          "echo 1 > /proc/sys/kernel/sysrq",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			out, err := s.run(t, line)
			assert.Error(t, err, "was allowed: %s", out)
			content, err := os.ReadFile(filepath.Join(s.other, "file"))
			assert.NoError(t, err, "the file outside")
			assert.Equal(t, "content\n", string(content), "the file outside")
			entries, err := os.ReadDir(s.other)
			assert.NoError(t, err, "files outside: %v", entries)
			assert.Equal(t, 1, len(entries), "files outside: %v", entries)
		})
	}
}

// TestStart_plain: where only files and folders may be made, nothing else can be made, nor be brought there.
func TestStart_plain(t *testing.T) {
	t.Parallel()
	for line, works := range map[string]bool{
		"echo x > f && mkdir d && mv f g && ln g h && rm -r d g":  true,
		"echo x > ../'my tree'/f && mv ../'my tree'/f . && cat f": true,
		"ln -s /etc/passwd l": false,
		"mkfifo p":            false,
		"ln -s /etc/passwd ../'my tree'/l && mv ../'my tree'/l .":                false,
		"mkfifo ../'my tree'/p && ln ../'my tree'/p p":                           false,
		"mkdir ../'my tree'/d && mkfifo ../'my tree'/d/p && mv ../'my tree'/d .": false,
	} {
		s := newScene(t)
		cmd := exec.Command("sh", "-c", line)
		cmd.Dir = s.other
		p := s.policy()
		p.Plain = []string{s.other}
		around, err := Start(cmd, p)
		assert.NoError(t, err)
		assert.Equal(t, works, cmd.Wait() == nil, "%s", line)
		assert.NoError(t, around.End())
		found, err := exec.Command("find", s.other, "-type", "l", "-o", "-type", "p").Output()
		assert.NoError(t, err, "%s: it made %s", line, found)
		assert.Zero(t, found, "%s: it made %s", line, found)
	}
}

// TestStart_root: root has nothing behind a wall by which it could get around it, and keeps what programs need.
func TestStart_root(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("only root has more rights than others")
	}
	s := newScene(t)
	for line, works := range map[string]bool{
		"chown 1:1 file && chmod 4755 file && chown 0:0 file": true,
		"cat /proc/$PPID/environ":                             false,
		"cat /proc/$PPID/maps":                                false,
		"readlink /proc/$PPID/fd/1":                           false,
		"hostname \"$(hostname)\"":                            false,
		"unshare -m true":                                     false,
		"grep -q '^CapBnd:.*ffff$' /proc/self/status":         false,
		"test \"$(sed -n 's/^CapEff:\t//p; s/^CapBnd:\t//p' /proc/self/status | sort -u | wc -l)\" = 1": true,
	} {
		out, err := s.run(t, line)
		assert.Equal(t, works, err == nil, "%s: %s", line, out)
	}
}

// TestStart_self: this process can do everything afterwards, and a command that cannot start is an error.
func TestStart_self(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for range 20 {
		out, err := s.run(t, "true")
		assert.NoError(t, err, "%v", out)
		assert.NoError(t, os.WriteFile(filepath.Join(s.other, "own"), nil, 0o600))
	}
	_, err := Start(exec.Command(filepath.Join(s.top, "missing")), s.policy())
	assert.Error(t, err, "a missing program was started")
}

// TestStart_trace: no thread of this process can be taken over.
func TestStart_trace(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	assert.NoError(t, err)
	s := newScene(t)
	for range 10 {
		cmd := exec.Command(program)
		cmd.Env = append(os.Environ(), traceKey+"="+strconv.Itoa(os.Getpid()))
		var out strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &out
		around, err := Start(cmd, s.policy())
		assert.NoError(t, err)
		assert.NoError(t, cmd.Wait())
		assert.Equal(t, "none\n", out.String())
		assert.NoError(t, around.End())
	}
}

// traceKey has the test program try to reach the threads of a process.
const traceKey = "WALL_TEST_TRACE"

func TestMain(m *testing.M) {
	if pid := os.Getenv(traceKey); pid != "" {
		reach(pid)
		return
	}
	if ended, code := inside(); ended {
		os.Exit(code)
	}
	os.Exit(m.Run())
}

// reach prints how the threads of a process can be reached.
func reach(pid string) {
	threads, err := os.ReadDir("/proc/" + pid + "/task")
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	found := false
	for _, thread := range threads {
		id, _ := strconv.Atoi(thread.Name())
		_, _, traced := unix.Syscall6(unix.SYS_PTRACE, unix.PTRACE_SEIZE, uintptr(id), 0, 0, 0, 0)
		_, memory := os.Open("/proc/" + thread.Name() + "/mem")
		signal := unix.Tgkill(os.Getppid(), id, 0)
		if group := unix.Kill(id, 0); group == nil {
			signal = nil
		}
		if traced == 0 || memory == nil || signal == nil {
			found = true
			fmt.Printf("%s: trace %v, memory %v, signal %v\n", thread.Name(), traced, memory, signal)
		}
	}
	if !found {
		fmt.Println("none")
	}
}

// TestStart_terminals: what a person types into a terminal cannot be read behind the wall, and nothing can be written there.
// Who may mount has terminals of their own there; others have none.
func TestStart_terminals(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	defer master.Close()
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0)
	}
	assert.NoError(t, err)
	terminal := fmt.Sprintf("/dev/pts/%d", number)
	_, err = master.WriteString("a secret\n")
	assert.NoError(t, err)
	for line, works := range map[string]bool{
		"grep -q secret < " + terminal:            false,
		"echo x > " + terminal:                    false,
		"head -c 1 /dev/ptmx":                     false,
		"test -c /dev/null && echo x > /dev/null": true,
		"echo x > /dev/tty":                       false,
		"for d in /dev/[sv]d[a-z]; do head -c 1 $d && exit; done; false": false,
	} {
		out, err := s.run(t, "timeout 2 sh -c '"+line+"'")
		assert.Equal(t, works, err == nil, "%s: %s", line, out)
	}
	if os.Getuid() != 0 {
		return
	}
	p := s.policy()
	p.Private = true
	var out strings.Builder
	cmd := exec.Command("sh", "-c", "ls /dev/pts; grep -q secret < "+terminal)
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.tree, &out, &out
	around, err := Start(cmd, p)
	assert.NoError(t, err)
	assert.Error(t, cmd.Wait(), "the terminal was read: %s", out.String())
	assert.NoError(t, around.End())
}

// TestEnd: nothing behind the wall lives on, whatever it has done to be forgotten, and nothing else is killed.
func TestEnd(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	if len(Supported().Open) > 1 {
		t.Skip("this kernel does not restrict signals")
	}
	outside := exec.Command("sleep", "600")
	assert.NoError(t, outside.Start())
	read, write, err := os.Pipe()
	assert.NoError(t, err)
	defer read.Close()
	cmd := exec.Command("sh", "-c", "(env -i PATH=$PATH setsid sh -c 'echo daemon; sleep 600' &) ; (env -i PATH=$PATH setsid setsid sleep 600 &)")
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.tree, write, write
	around, err := Start(cmd, s.policy())
	assert.NoError(t, err)
	write.Close()
	assert.NoError(t, cmd.Wait())
	_, err = io.ReadFull(read, make([]byte, len("daemon\n")))
	assert.NoError(t, err)
	assert.NoError(t, around.End())
	if rest, err := io.ReadAll(read); err != nil || len(rest) > 0 { // its end is that of all who inherited it
		t.Errorf("%q, %v", rest, err)
	}
	assert.NoError(t, outside.Process.Signal(syscall.Signal(0)), "a process outside")
	_ = outside.Process.Kill()
	_ = outside.Wait()
}

// TestContains: what is behind a wall is known, also when it has left its parents, its session and its environment behind,
// and nothing else is: neither this process, nor its other children, nor what is behind another wall.
func TestContains(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	begin := func() (around *Wall, ids []int) {
		cmd := exec.Command("sh", "-c", "echo $$; (setsid env -i /bin/sh -c 'echo $$; exec /bin/sleep 60' &); exec /bin/sleep 60")
		cmd.Dir = s.tree
		out, err := cmd.StdoutPipe()
		assert.NoError(t, err)
		around, err = Start(cmd, s.policy())
		assert.NoError(t, err)
		for range 2 {
			var id int
			_, err := fmt.Fscan(out, &id)
			assert.NoError(t, err)
			ids = append(ids, id)
		}
		t.Cleanup(func() {
			assert.NoError(t, around.End())
			_ = cmd.Wait() // it was killed
		})
		return around, ids
	}
	one, own := begin()
	if !one.Kills() {
		t.Skip("this system does not restrict signals")
	}
	_, others := begin()
	beside := exec.Command("sleep", "60")
	assert.NoError(t, beside.Start())
	t.Cleanup(func() { _, _ = beside.Process.Kill(), beside.Wait() })
	for id, want := range map[int]bool{
		own[0]: true, own[1]: true, others[0]: false, others[1]: false, beside.Process.Pid: false,
		os.Getpid(): false, os.Getppid(): false, one.warden.cmd.Process.Pid: false, 1: false, 0: false, -1: false, -own[0]: false,
	} {
		assert.Equal(t, want, one.Contains(id), "process %d", id)
	}
}

// TestStart_calls: limits of other processes cannot be set.
func TestStart_calls(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("prlimit"); err != nil {
		t.Skip(err)
	}
	s := newScene(t)
	out, err := s.run(t, "prlimit --nofile=100:100 true && prlimit --pid $$ --nofile")
	assert.NoError(t, err, "%s", out)
	out, err = s.run(t, "prlimit --pid $PPID --cpu=1000000:1000000")
	assert.Error(t, err, "was allowed: %s", out)
}

// TestStart_keys: the keys that the kernel keeps for a user cannot be read or changed, and packets of others not be seen.
func TestStart_keys(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	python, err := exec.LookPath("python3")
	if err != nil || runtime.GOARCH != "amd64" {
		t.Skip("no python3, or other numbers of calls")
	}
	const script = `
import ctypes, errno, socket
libc = ctypes.CDLL(None, use_errno=True)
for call, args in (248, (b"user", b"chant-test", b"x", 1, -4)), (249, (b"user", b"chant-test", None, -4)), (250, (0, -4, 1)):
    result = libc.syscall(call, *args)
    assert result == -1 and ctypes.get_errno() == errno.EPERM, (call, result, ctypes.get_errno())
assert libc.syscall(252, 1, 0) >= 0, "ioprio_get is refused"
try:
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
    assert False, "packets can be read"
except PermissionError:
    pass
`
	file := filepath.Join(s.tree, "calls.py")
	assert.NoError(t, os.WriteFile(file, []byte(script), 0o600))
	out, err := s.run(t, python+" '"+file+"'")
	assert.NoError(t, err, "%s", out)
}

// TestStart_leases: a file that can be read cannot be leased, so that nobody waits for what is behind the wall. Other calls
// for files work.
func TestStart_leases(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	python, err := exec.LookPath("python3")
	if err != nil || calls() == nil {
		t.Skip("no python3, or a filter is not known here")
	}
	const script = `
import ctypes, errno, fcntl
f = open(__file__)
for lease in fcntl.F_RDLCK, fcntl.F_WRLCK:
    try:
        fcntl.fcntl(f, 1024, lease)
        assert False, "the file is leased"
    except PermissionError:
        pass
fcntl.fcntl(f, fcntl.F_GETFD)
fcntl.flock(f, fcntl.LOCK_SH)
libc = ctypes.CDLL(None, use_errno=True)
if ctypes.sizeof(ctypes.c_long) == 8 and __import__("platform").machine() == "x86_64":
    result = libc.syscall(0x40000000 + 72, f.fileno(), 1024, fcntl.F_RDLCK)
    assert result == -1 and ctypes.get_errno() in (errno.EPERM, errno.ENOSYS), (result, ctypes.get_errno())
`
	file := filepath.Join(s.tree, "leases.py")
	assert.NoError(t, os.WriteFile(file, []byte(script), 0o600))
	out, err := s.run(t, python+" '"+file+"'")
	assert.NoError(t, err, "%s", out)
}

// TestStart_attributes: extended attributes and flags of inodes are as on a file system without them, by every call. They can be
// read, and what copies files copies those that have some.
func TestStart_attributes(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	python, err := exec.LookPath("python3")
	if err != nil || calls() == nil {
		t.Skip("no python3, or a filter is not known here")
	}
	marked := filepath.Join(s.tree, "file")
	if err := unix.Setxattr(marked, "user.before", []byte("x"), 0); err != nil {
		t.Skip("no extended attributes here: ", err)
	}
	assert.NoError(t, os.MkdirAll(filepath.Join(s.tree, "folder", "inner"), 0o750))
	assert.NoError(t, os.WriteFile(filepath.Join(s.tree, "folder", "inner", "file"), []byte("x\n"), 0o644))
	const script = `
import ctypes, errno, fcntl, os, platform
libc = ctypes.CDLL(None, use_errno=True)
f = open("file", "r+")
def refused(what, result):
    assert result == -1 and ctypes.get_errno() == errno.EOPNOTSUPP, (what, result, ctypes.get_errno())
for call, at in (("setxattr", b"file"), ("lsetxattr", b"file"), ("fsetxattr", f.fileno())):
    refused(call, getattr(libc, call)(at, b"user.x", b"y", ctypes.c_size_t(1), 0))
for call, at in (("removexattr", b"file"), ("lremovexattr", b"file"), ("fremovexattr", f.fileno())):
    refused(call, getattr(libc, call)(at, b"user.before"))
at = struct = ctypes.create_string_buffer(32)
for number, args in ((463, (-100, b"file", 0, b"user.x", at, 16)), (466, (-100, b"file", 0, b"user.before")), (469, (-100, b"file", at, 24, 0))):
    refused(number, libc.syscall(number, *args))
for request in 0x40086602, 0x40046602, 0x401c5820, 0x40087602, 0x40047602, 0x40086604, 0x40046604, 0x40806685, (7 << 32) + 0x40086602:
    refused(hex(request), libc.ioctl(f.fileno(), ctypes.c_ulong(request), ctypes.create_string_buffer(128)))
assert os.getxattr("file", "user.before") == b"x"
fcntl.ioctl(f, 0x5452, bytearray(4))
`
	assert.NoError(t, os.WriteFile(filepath.Join(s.tree, "attributes.py"), []byte(script), 0o600))
	out, err := s.run(t, python+" attributes.py")
	assert.NoError(t, err, "%s", out)
	assert.Equal(t, []byte("x"), attribute(t, marked, "user.before"))
	for i, line := range []string{
		"cp -a file folder to/ && cp -rp folder to/b && cp -a to c && cat c/file c/b/inner/file",
		"install -D -m 755 file in/side/file && install -d -m 711 made && mkdir -m 700 another && cp -p file in/side/ && mv in made/",
		"tar -cf all.tar file folder && mkdir t && tar -xpf all.tar -C t && cat t/folder/inner/file",
		"tar --xattrs --acls -cf all.tar file folder && tar --xattrs --acls -xpf all.tar -C to && cat to/file to/folder/inner/file",
		"git init -q r && cd r && cp -a ../file . && git add file && git -c user.name=a -c user.email=a@b commit -qm x && git clone -q . ../clone && git gc -q && git worktree add -q ../w && cat ../w/file",
		python + ` -c 'import shutil as s; s.copy2("file", "two"); s.copytree("folder", "three"); s.copystat("file", "two"); s.move("three", "four"); s.make_archive("all", "tar", ".", "four")'`,
		`node -e 'const fs = require("fs"); fs.cpSync("folder", "n", {recursive: true, preserveTimestamps: true}); fs.copyFileSync("file", "n/two", fs.constants.COPYFILE_FICLONE)'`,
		"rsync -a folder file r/",
	} {
		program := strings.Fields(line)[0]
		if _, err := exec.LookPath(program); err != nil {
			continue
		}
		name := fmt.Sprint(i, filepath.Base(program))
		out, err := s.run(t, "mkdir -p '"+name+".d/to' && cp -a file folder '"+name+".d/' && cd '"+name+".d' && "+line)
		assert.NoError(t, err, "%s: %s", name, out)
		// It has been asked for attributes, which is the only reason to complain.
		if !strings.Contains(line, "--xattrs") {
			assert.NotContains(t, out, "supported", "%s complains", name)
		}
	}
}

// TestStart_accessLists: where files have lists of access, what copies files copies the lists.
func TestStart_accessLists(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	// Entries for the owner, a user, the group, the mask and others.
	const list = "\x02\x00\x00\x00\x01\x00\x07\x00\xff\xff\xff\xff\x02\x00\x04\x00\x0c\x00\x00\x00\x04\x00\x05\x00\xff\xff\xff\xff" +
		"\x10\x00\x05\x00\xff\xff\xff\xff\x20\x00\x00\x00\xff\xff\xff\xff"
	if err := unix.Setxattr(s.tree, "system.posix_acl_default", []byte(list), 0); err != nil {
		t.Skip("no lists of access here: ", err)
	}
	out, err := s.run(t, "mkdir folder && echo x > folder/file && cp -a folder another && cp -p folder/file copy && cat another/file")
	assert.NoError(t, err, "%s", out)
}

func attribute(t *testing.T, path, name string) []byte {
	t.Helper()
	value := make([]byte, 64)
	n, err := unix.Getxattr(path, name, value)
	assert.NoError(t, err)
	return value[:n]
}

// TestStart_network: only the named ports can be reached.
func TestStart_network(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	if len(Supported().Open) == 3 {
		t.Skip("this kernel cannot restrict ports")
	}
	p := s.policy()
	p.Network = &Network{Ports: []uint16{9}}
	for port, want := range map[string]string{"9": "refused", "10": "denied"} {
		var out strings.Builder
		cmd := exec.Command("bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/"+port)
		cmd.Stderr = &out
		around, err := Start(cmd, p)
		assert.NoError(t, err)
		assert.Error(t, cmd.Wait(), "port %s", port)
		assert.Contains(t, out.String(), want, "port %s", port)
		assert.NoError(t, around.End())
	}
}

// BenchmarkStart compares a start behind the wall with one without.
func BenchmarkStart(b *testing.B) {
	if s := Supported(); !s.Available {
		b.Skip(s.Why)
	}
	dir := b.TempDir()
	policy := Policy{Write: []string{dir}, Hide: []string{filepath.Join(dir, "keys")}}
	for name, start := range map[string]func(*exec.Cmd) (*Wall, error){
		"open": func(cmd *exec.Cmd) (*Wall, error) { return nil, cmd.Start() },
		"wall": func(cmd *exec.Cmd) (*Wall, error) { return Start(cmd, policy) },
		"private": func(cmd *exec.Cmd) (*Wall, error) {
			own := policy
			own.Private = true
			return Start(cmd, own)
		},
		"network": func(cmd *exec.Cmd) (*Wall, error) {
			own := policy
			own.Network = &Network{Services: []Service{{20001, answer}}, Enter: []string{os.Args[0], enterWord}}
			return Start(cmd, own)
		},
	} {
		b.Run(name, func(b *testing.B) {
			var starting time.Duration // without running and ending
			for b.Loop() {
				cmd := exec.Command("/bin/true")
				began := time.Now()
				around, err := start(cmd)
				starting += time.Since(began)
				assert.NoError(b, err)
				assert.NoError(b, errors.Join(cmd.Wait(), around.End()))
			}
			b.ReportMetric(float64(starting.Nanoseconds())/float64(b.N), "ns/start")
		})
	}
}
