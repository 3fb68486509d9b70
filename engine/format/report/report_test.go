package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

// findings contain what each format must escape.
func findings() []Finding {
	return []Finding{
		{"dependency", Error, `depends on "none", which does not exist`, ".chant/specs/2026-01-01-001-abc.md", 3, "2026-01-01-001-abc"},
		{"title", Error, "no title\r\n100 % <sure> & ]]> \x1b[31m\x00\xff", "a folder/ü#?%:,x.md", 0, "x"},
		{"criteria", Warning, "twice", "c:d/e.md", 7, "e"},
		{"criteria", Warning, "twice", "c:d/e.md", 9, "e"},
		{"config", Note, "nowhere", "", 4, ""},
	}
}

func suites() []Suite {
	when := time.Date(2026, 11, 20, 12, 0, 0, 0, time.FixedZone("", 3600))
	return []Suite{
		{Name: "001", File: ".chant/specs/001.md", Time: when, Cases: []Case{
			{Name: "It builds", Class: "criterion", File: ".chant/specs/001.md", Line: 9, Seconds: 1234.5678, Output: "ok\x1b[0m ]]> \xff\n"},
			{Name: "It \"runs\" <fast>", File: "a.md", Line: 10, Seconds: 0.25, Failure: "exit 1\nsecond line \x07", Output: "no"},
			{Name: "A person looks", Class: "criterion", Skipped: "has no command"},
			{Name: "Nowhere", Failure: "gone"},
			{Name: "A file", File: "b.md", Failure: "gone"},
		}},
		{Name: "empty"},
	}
}

// formats lists every format with some input.
func formats() map[string]func(io.Writer) error {
	rules := []Rule{{"title", "A spec has a title"}, {"dependency", "Dependencies exist"}}
	return map[string]func(io.Writer) error{
		"findings.sarif":   func(w io.Writer) error { return SARIF(w, "0.1.0", rules, findings()) },
		"nothing.sarif":    func(w io.Writer) error { return SARIF(w, "", nil, nil) },
		"suites.xml":       func(w io.Writer) error { return JUnit(w, suites()) },
		"nothing.xml":      func(w io.Writer) error { return JUnit(w, nil) },
		"annotations.txt":  func(w io.Writer) error { return Annotations(w, findings()) },
		"codequality.json": func(w io.Writer) error { return CodeQuality(w, findings()) },
		"nothing.json":     func(w io.Writer) error { return CodeQuality(w, nil) },
	}
}

func TestFormats_golden(t *testing.T) {
	t.Parallel()
	for name, write := range formats() {
		var got bytes.Buffer
		assert.NoError(t, write(&got), "%s", name)
		path := filepath.Join("testdata", name)
		if os.Getenv("UPDATE") != "" {
			assert.NoError(t, os.WriteFile(path, got.Bytes(), 0o644))
		}
		want, err := os.ReadFile(path)
		assert.NoError(t, err)
		want = bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n"))
		assert.Equal(t, want, got.Bytes(), "%s:", name)
	}
}

var errFull = errors.New("full")

// full is a writer that fails.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestFormats_tellOfTheWriter(t *testing.T) {
	t.Parallel()
	for name, write := range formats() {
		assert.IsError(t, write(full{}), errFull, "%s", name)
	}
}

func TestFormats_unknownLevel(t *testing.T) {
	t.Parallel()
	odd := []Finding{{Rule: "title", Level: "fatal"}}
	for name, err := range map[string]error{
		"sarif": SARIF(io.Discard, "", nil, odd), "annotations": Annotations(io.Discard, odd), "quality": CodeQuality(io.Discard, odd),
	} {
		assert.Error(t, err, "%s", name)
		assert.Contains(t, err.Error(), `"fatal"`, "%s", name)
	}
}

// A finding that moved to another line keeps its fingerprint, and two equal findings have different ones.
func TestFingerprints(t *testing.T) {
	t.Parallel()
	prints := func(found ...Finding) (out []string) {
		seen := fingerprints{}
		for _, f := range found {
			out = append(out, seen.add(f))
		}
		return out
	}
	a := Finding{Rule: "r", Path: "p", Message: "m", Line: 1}
	moved, other := a, a
	moved.Line, other.Spec = 20, "s"
	first, second := prints(a, a), prints(moved, moved, other)
	assert.Equal(t, second[0], first[0], "a line changes the fingerprint")
	assert.Equal(t, second[1], first[1], "a line changes the fingerprint")
	assert.NotEqual(t, first[1], first[0], "different findings are one")
	assert.NotEqual(t, second[0], second[2], "different findings are one")
}

// Undoing the escapes as a runner does returns the message and the path.
func FuzzAnnotations(f *testing.F) {
	f.Add("100 %\r\n::error::", "a,b:c%0A.md", 3)
	f.Fuzz(func(t *testing.T, message, path string, line int) {
		var out strings.Builder
		assert.NoError(t, Annotations(&out, []Finding{{Rule: "r", Level: Error, Message: message, Path: path, Line: line}}))
		text, ended := strings.CutSuffix(out.String(), "\n")
		assert.True(t, ended, "more than one line: %q", out.String())
		assert.False(t, strings.ContainsAny(text, "\r\n"), "more than one line: %q", out.String())
		_, rest, _ := strings.Cut(text, "::error ")
		params, data, _ := strings.Cut(rest, "::")
		undo := strings.NewReplacer("%2C", ",", "%3A", ":", "%0A", "\n", "%0D", "\r", "%25", "%")
		assert.Equal(t, message, strings.NewReplacer("%0A", "\n", "%0D", "\r", "%25", "%").Replace(data), "message %q", text)
		file, _, _ := strings.Cut(params, ",")
		assert.False(t, path != "" && undo.Replace(strings.TrimPrefix(file, "file=")) != path, "path %q in %q", path, text)
	})
}

func FuzzJUnit(f *testing.F) {
	f.Add("name", "fail\x00", "out ]]>\xff\ufffe", "")
	f.Fuzz(func(t *testing.T, name, failure, output, skipped string) {
		var out bytes.Buffer
		err := JUnit(&out, []Suite{{Name: name, File: output, Cases: []Case{{Name: name, Class: failure, File: skipped, Line: 1, Failure: failure, Output: output, Skipped: skipped}}}})
		assert.NoError(t, err)
		dec := xml.NewDecoder(&out)
		for {
			if _, err := dec.Token(); err == io.EOF {
				return
			} else if err != nil {
				t.Fatal(err)
			}
		}
	})
}

func FuzzSARIF(f *testing.F) {
	f.Add("rule", "text \x00\xff", "//c:/ü %", 1)
	f.Fuzz(func(t *testing.T, rule, message, path string, line int) {
		var out bytes.Buffer
		assert.NoError(t, SARIF(&out, rule, []Rule{{rule, message}}, []Finding{{rule, Note, message, path, line, message}}))
		var log sarifLog
		assert.NoError(t, json.Unmarshal(out.Bytes(), &log), "%s", out.Bytes())
		assert.Equal(t, 1, len(log.Runs), "%s", out.Bytes())
		for _, at := range log.Runs[0].Results[0].Locations {
			uri := at.Physical.Artifact.URI
			assert.False(t, strings.HasPrefix(uri, "/"), "uri %q of path %q", uri, path)
			assert.False(t, strings.ContainsAny(uri, " \x00"), "uri %q of path %q", uri, path)
		}
	})
}
