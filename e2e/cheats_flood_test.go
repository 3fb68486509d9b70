package e2e

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestCheats_events has an agent print thousands of events of its protocol, each of which says something about its session:
// the journal, which every command reads, has some of them, and the end.
func TestCheats_events(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the agent is a POSIX shell script")
	}
	const events = 5000
	for name, line := range map[string]string{
		"beginnings": `{"type":"system","subtype":"init","session_id":"sN","model":"m"}`,
		"answers":    `{"type":"assistant","message":{"id":"mN","role":"assistant","model":"m","content":[],"usage":{"input_tokens":1,"output_tokens":1}},"session_id":"s"}`,
		"one answer": `{"type":"assistant","message":{"id":"m","role":"assistant","model":"m","content":[],"usage":{"input_tokens":N,"output_tokens":1}},"session_id":"s"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t)
			print, number, _ := strings.Cut(line, "N")
			if number == "" {
				number, print = print, ""
			}
			p.tool("talks", "#!/bin/sh\ncat > /dev/null\ni=0; while [ $i -lt 5000 ]; do printf '%s%d%s\\n' '"+print+"' $i '"+number+"'; i=$((i+1)); done\n"+
				"echo x > x.txt; sed -i 's/^- . ./- [x]/' .chant/specs/"+ownID+".md\n"+
				`echo '{"type":"result","subtype":"success","is_error":false,"result":"done","session_id":"s","num_turns":1,"total_cost_usd":0.5,"usage":{"input_tokens":1,"output_tokens":1}}'`+"\n")
			p.write(".chant/providers/talks.md", "---\nlike: claude\ncommand: "+p.home("bin/talks")+"\n---\n")
			p.write(".chant/config.md", "---\ndefaults: {provider: talks}\n---\n")
			p.does("git add -A; git commit -q -m talks")
			p.addFile(ownID, boxSpec(""))
			p.chant("work", ownID)
			info, err := os.Stat(filepath.Join(p.dir, ".git", "chant", "runs", ownID+".jsonl"))
			assert.NoError(t, err)
			if most := int64(events * 200); info.Size() > most {
				t.Errorf("the journal has %d bytes, want at most %d", info.Size(), most)
			}
			assert.Contains(t, p.chant("show", ownID, "--json"), "0.5", "the end of the session is not recorded:")
		})
	}
}
