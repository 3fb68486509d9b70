package e2e

import (
	"runtime"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestCheats_inside has an agent ask for what only a person may decide.
func TestCheats_inside(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the agents are POSIX shell scripts")
	}
	for name, line := range asked() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			oneOf(t, 3)
			p := newProject(t)
			p.addFile(otherID, gatedSpec)
			p.addFile(ownID, boxSpec("echo x > x.txt\n"+ticks+"if "+line+" > \"$HOME/asked\" 2>&1; then echo done >> \"$HOME/asked\"; fi"))
			p.chant("work", ownID)
			assert.Equal(t, "pending", p.statusOnMain(otherID), "the other spec")
			said := read(t, p.home("asked"))
			assert.Contains(t, said, "you are inside the run of", "it was not refused:")
			assert.NotContains(t, said, "done\n", "it was not refused:")
		})
	}
}

// TestCheats_insideWalled has an agent behind the wall ask for all of that: the process of the run, which it asks through
// a socket, refuses it, and without the socket the system does.
func TestCheats_insideWalled(t *testing.T) {
	t.Parallel()
	p := newCheated(t, true)
	p.addFile(otherID, gatedSpec)
	script := ""
	for name, line := range asked() {
		for _, line := range []string{line, "unset CHANT_BROKER CHANT_BROKER_REPO CHANT_RUN_ID; " + line, "env -i HOME=\"$HOME\" PATH=\"$PATH\" sh -c '" + strings.ReplaceAll(line, "'", "'\\''") + "'"} {
			script += "echo '== " + name + "'; if (" + line + ") < /dev/null 2>&1; then echo 'granted'; fi\n"
		}
	}
	p.addFile(ownID, boxSpec("echo x > x.txt\n"+ticks+script))
	around := p.lookOutside()
	p.chant("work", ownID)
	p.nothingElse(around, ownID)
	assert.Equal(t, "pending", p.statusOnMain(otherID), "the other spec")
	said := p.chant("log", ownID)
	for name := range asked() {
		parts := strings.Split(said, "== "+name+"\n")
		assert.Equal(t, 4, len(parts), "%s: asked %d times\n%s", name, len(parts)-1, said)
		for i, part := range parts[1:] {
			part, _, _ = strings.Cut(part, "== ")
			assert.NotContains(t, part, "granted", "%s was not refused:", name)
			assert.Contains(t, part, "error: ", "%s was not refused:", name)
			assert.False(t, i == 0 && !strings.Contains(part, "you are inside the run of"), "%s was not refused:\n%s", name, part)
		}
	}
}

// gatedSpec waits for an approval.
const gatedSpec = "---\nstatus: pending\napproval: {required: true}\n---\n# Waits\n\n## Script\n\n```sh\necho z > z.txt\n```\n\n## Acceptance Criteria\n\n- [ ] there `$ test -s z.txt`\n"

// asked lists what only a person may ask chant for, by the act.
func asked() map[string]string {
	return map[string]string{
		"waives an approval":                  "chant work " + otherID + " --skip-approval",
		"waives it from elsewhere":            "cd \"$home\" && env -u CHANT_RUN_ID chant work " + otherID + " --skip-approval",
		"starts a watch":                      "chant watch start --work",
		"watches itself":                      "chant watch --once --work",
		"stops the watch of its person":       "chant watch stop",
		"approves what waits for a person":    "chant approve " + otherID,
		"edits away what another asks for":    "EDITOR='sed -i s/test/true/' VISUAL= chant edit " + otherID,
		"removes the hooks":                   "chant hooks remove",
		"writes a file of git":                "chant verify " + otherID + " --attestation \"$home/.git/description\"",
		"completes another spec":              "chant update " + otherID + " --status completed",
		"has another spec wait for a new one": "chant task create x --blocks " + otherID,
		"gives another spec a member":         "chant add --group " + otherID + " member",
		"edits an approval away":              "EDITOR='sed -i s/required/xrequired/' VISUAL= chant edit " + otherID,
	}
}
