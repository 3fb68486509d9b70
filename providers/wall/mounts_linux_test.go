package wall

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestOtherNames(t *testing.T) {
	t.Parallel()
	mounts := parseMounts(`22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 8:2 / /data rw - ext4 /dev/sdb1 rw
31 22 8:2 /home /home rw - ext4 /dev/sdb1 rw
32 22 8:2 /home/ada/.config/chant/keys /mnt/a\040b rw - ext4 /dev/sdb1 rw
33 22 0:5 / /proc rw - proc proc rw
34 22 8:1 / /run/host rw - ext4 /dev/sda1 rw
35 22 8:2 /home /run/host/home rw - ext4 /dev/sdb1 rw
`)
	for path, want := range map[string][]string{
		"/home/ada/.config/chant": {"/data/home/ada/.config/chant", "/mnt/a b", "/run/host/home/ada/.config/chant"},
		"/data/home/ada/x":        {"/home/ada/x", "/run/host/home/ada/x"},
		"/data/other":             nil,
		"/etc/keys":               {"/run/host/etc/keys"},
		"/run/host/etc":           {"/etc"},
	} {
		assert.Equal(t, want, otherNames([]string{path}, mounts), "%s", path)
	}
}

// TestStart_hiddenElsewhere: what is hidden cannot be read at another place at which its folder shows either, nor at its own
// because of that.
func TestStart_hiddenElsewhere(t *testing.T) {
	t.Parallel()
	const inside = "WALL_TEST_BIND"
	if top := os.Getenv(inside); top != "" {
		s := scene{tree: filepath.Join(top, "tree"), keys: filepath.Join(top, "home", "keys")}
		for _, path := range []string{s.keys + "/key", filepath.Join(top, "again", "keys", "key"), "/proc/self/root" + s.keys + "/key"} {
			out, err := s.run(t, "cat '"+path+"'")
			assert.Error(t, err, "%s", path)
			assert.NotContains(t, out, "secret", "%s", path)
		}
		out, err := s.run(t, "cat '"+filepath.Join(top, "again", "other")+"'")
		assert.NoError(t, err, "what is not hidden")
		assert.Contains(t, out, "open", "what is not hidden")
		return
	}
	newScene(t)
	top := t.TempDir()
	for _, dir := range []string{"tree", "home/keys", "again"} {
		assert.NoError(t, os.MkdirAll(filepath.Join(top, dir), 0o755))
	}
	for name, text := range map[string]string{"home/keys/key": "secret", "home/other": "open"} {
		assert.NoError(t, os.WriteFile(filepath.Join(top, name), []byte(text), 0o600))
	}
	cmd := exec.Command("unshare", "-m", "sh", "-c", `mount --bind "$1/home" "$1/again" || exit 77; exec "$2" -test.run='^TestStart_hiddenElsewhere$'`, "sh", top, program(t))
	cmd.Env = append(os.Environ(), inside+"="+top)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() == 77 || strings.Contains(string(out), "unshare failed") {
		t.Skipf("only who may mount can have a folder at two places: %v: %s", err, out)
	}
	assert.NoError(t, err, "%s", out)
}
