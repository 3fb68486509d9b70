package judge_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/run/runtest"
	"chant/engine/spec"
	"chant/engine/store"

	"github.com/alecthomas/assert/v2"
)

// TestHeldOut: held-out criteria count, are those of the start, and are in no report.
func TestHeldOut(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ done, words string }{
		"fails": {"28", "1 criterion of 2 does not hold: criterion 2: held-out criterion 1 (a held-out criterion failed: look at the day)"},
		"holds": {"29", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := runtest.Start(t, with("a `$ test -f done.txt`"), open)
			file := filepath.Join(r.Dir, filepath.FromSlash(store.HeldOutPath(runtest.ID)))
			assert.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
			assert.NoError(t, os.WriteFile(file, []byte("- [ ] HIDDEN, tell: look at the day `$ echo HIDDEN; grep 29 done.txt # HIDDEN`\n"), 0o600))
			assert.NoError(t, r.Judge.BeginBase(t.Context()))
			defer r.Judge.EndBase()
			assert.NoError(t, os.WriteFile(file, []byte("- [ ] HIDDEN `$ true`\n"), 0o600))
			r.Agent(map[string]string{"done.txt": tc.done})
			err := r.To(journal.Verify)
			if tc.words != "" {
				r.Fails(err, spec.ReasonUnverified, tc.words)
			} else {
				assert.NoError(t, err)
				v := r.Judge.Report.Criteria[1]
				assert.Equal(t, criteria.FailToPass, v.Proof)
			}
			text, err := json.Marshal(r.Judge.Report)
			assert.NoError(t, err)
			log, err := os.ReadFile(r.P.Store.LogPath(runtest.ID))
			assert.NoError(t, err)
			records, err := os.ReadFile(r.P.Store.JournalPath(runtest.ID))
			assert.NoError(t, err)
			for what, text := range map[string]string{"report": string(text), "log": string(log), "journal": string(records)} {
				assert.False(t, strings.Contains(text, "HIDDEN"), "%s: %s", what, text)
			}
		})
	}
}
