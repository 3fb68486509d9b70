package wizard

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/view"

	"github.com/alecthomas/assert/v2"
)

// exportable is a project with two labels.
func exportable(dir string) Exportable {
	return Exportable{
		Statuses: []string{"ready", "completed"}, Labels: []string{"api", "core"}, Fields: []string{"id", "title", "cost_usd"}, Usual: []string{"id", "title"},
		Below: func(path string) string { return filepath.Join(dir, path) },
		Refused: func(path string) error {
			if strings.HasPrefix(path, ".chant") {
				return errors.New("belongs to chant")
			}
			return nil
		},
	}
}

func TestExport(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines []string
		want  Exported
		step  string
	}{
		"all, printed": {
			[]string{"1", "0", "0", "", "", "1", "0", ""},
			Exported{Format: "json"}, "chant export --format json",
		},
		"some, into a file": {
			[]string{"2", "2", "0", "1", "0", "2026-01-01", "2025-01-01", "2026-02-01", "2", "3", "0", ".chant/x", "done.csv"},
			Exported{"csv", view.ExportInput{Statuses: []string{"completed"}, Labels: []string{"api"}, From: "2026-01-01", To: "2026-02-01", Archived: true, Fields: []string{"all"}}, "done.csv"},
			"chant export --format csv --status completed --label api --from 2026-01-01 --to 2026-02-01 --fields all --archived --output done.csv",
		},
		"other fields": {
			[]string{"3", "0", "0", "", "", "1", "2", "0", ""},
			Exported{Format: "markdown", Input: view.ExportInput{Fields: []string{"id"}}}, "chant export --format markdown --fields id",
		},
		"a folder of lotar": {
			[]string{"4", "", "out"},
			Exported{Format: "lotar", File: "out"}, "chant export --format lotar --output out",
		},
	} {
		var out strings.Builder
		got, err := Export(t.Context(), answers(&out, c.lines...), exportable(t.TempDir()))
		if len(got.Input.Statuses) == 0 { // nil and empty are the same
			got.Input.Statuses = nil
		}
		if len(got.Input.Labels) == 0 {
			got.Input.Labels = nil
		}
		assert.NoError(t, err, "%s: %s", name, out.String())
		assert.Equal(t, c.want, got, "%s: %s", name, out.String())
		assert.Equal(t, c.step, ExportStep(got).String(), "%s", name)
	}
	var out strings.Builder
	var failure *engine.Error
	_, err := Export(t.Context(), answers(&out, "4"), exportable(t.TempDir()))
	assert.True(t, errors.As(err, &failure), "the input ended: %v", err)
	assert.Equal(t, engine.Canceled, failure.Code, "the input ended")
}

func TestReplaces(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	assert.NoError(t, os.WriteFile(filepath.Join(dir, "there.csv"), nil, 0o644))
	for file, want := range map[string]string{"": "", " there.csv ": "it exists, and is replaced", "new.csv": "a new file"} {
		assert.Equal(t, want, exportable(dir).replacementText(file), "%q", file)
	}
}

func TestUntil(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from, to string
		refused  bool
	}{
		{"", "", false}, {"", "2026-01-01", false}, {"2026-01-01", "2026-01-01", false}, {"2026-01-02", "2026-01-01", true},
		{"", "tomorrow", true}, {"2026-01-02", " 2026-01-03 ", false}, {"2026-01-02", "2026-02-30", true},
	} {
		assert.Equal(t, c.refused, checkUntil(c.from, c.to) != nil, "%q to %q", c.from, c.to)
	}
}
