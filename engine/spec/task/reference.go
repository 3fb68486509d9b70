package task

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"chant/engine/spec/taskfields"
)

// FileLines returns how many lines a file of the repository has. The path is relative to its top, with slashes. It
// returns an error if there is no such file.
type FileLines func(path string) (lines int, err error)

// maxReference limits the characters of a reference.
const maxReference = 4096

// NormalizeReference returns a reference in the form in which it is stored. files is asked for references to files and
// code; without it these are refused. Every error is a *Fault.
func NormalizeReference(kind, value string, files FileLines) (taskfields.Reference, error) {
	kind, value = strings.ToLower(strings.TrimSpace(kind)), strings.TrimSpace(value)
	switch {
	case kind == "":
		return taskfields.Reference{}, Invalid("Missing kind")
	case !slices.Contains(taskfields.ReferenceKinds(), kind):
		fault := Invalid("Invalid kind")
		fault.Data = map[string]any{"message": fmt.Sprintf("unknown kind %q (one of %s)", kind, strings.Join(taskfields.ReferenceKinds(), ", "))}
		return taskfields.Reference{}, fault
	case value == "":
		return taskfields.Reference{}, Invalid("Missing value")
	case len(value) > maxReference:
		return taskfields.Reference{}, refuseReference("a reference has at most %d characters", maxReference)
	case strings.ContainsFunc(value, unicode.IsControl):
		return taskfields.Reference{}, refuseReference("a reference is one line of text")
	}
	var err error
	switch kind {
	case "link":
		err = checkLink(value)
	case "file":
		value, err = normalizeFile(value, files)
	case "code":
		value, err = normalizeCode(value, files)
	case "jira":
		value, err = normalizeJira(value)
	case "github":
		value, err = normalizeGitHub(value)
	}
	if err != nil {
		return taskfields.Reference{}, err
	}
	return taskfields.Reference{Kind: kind, Value: value}, nil
}

// refuseReference returns the fault of a reference that cannot be stored.
func refuseReference(format string, args ...any) *Fault {
	return &Fault{Code: CreateFailed, Message: "Task reference add failed", Data: map[string]any{"message": fmt.Sprintf(format, args...)}}
}

// checkLink refuses links that run code.
func checkLink(value string) error {
	// The scheme ends at the first colon, and browsers ignore its case.
	scheme, _, _ := strings.Cut(strings.ToLower(value), ":")
	if slices.Contains([]string{"javascript", "data", "vbscript"}, strings.TrimSpace(scheme)) {
		return refuseReference("links with %s: are not allowed", strings.TrimSpace(scheme))
	}
	return nil
}

// normalizeFile returns the path of a file in the repository.
func normalizeFile(value string, files FileLines) (string, error) {
	name, _, err := existingFile(value, files)
	return name, err
}

func existingFile(value string, files FileLines) (name string, lines int, err error) {
	// Without a repository no path can be checked.
	if files == nil {
		return "", 0, refuseReference("Unable to locate git repository")
	}
	name = path.Clean(strings.ReplaceAll(value, `\`, "/"))
	if path.IsAbs(name) || name == "." || name == ".." || strings.HasPrefix(name, "../") || len(name) > 1 && name[1] == ':' {
		return "", 0, refuseReference("%q is not a path inside the repository", value)
	}
	if lines, err = files(name); err != nil {
		return "", 0, refuseReference("the repository has no file %q", name)
	}
	return name, lines, nil
}

// linesForm is how a reference to code names its lines.
var linesForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[Ll]?([0-9]{1,9})(?:-[Ll]?([0-9]{1,9}))?$`) })

// normalizeCode returns path, path#start or path#start-end, with lines that the file has.
func normalizeCode(value string, files FileLines) (string, error) {
	name, at, marked := strings.Cut(value, "#")
	name, last, err := existingFile(name, files)
	if err != nil || !marked {
		return name, err
	}
	found := linesForm().FindStringSubmatch(at)
	if found == nil {
		return "", refuseReference("invalid lines %q (use path#12 or path#12-20)", at)
	}
	start, _ := strconv.Atoi(found[1])
	end := start
	if found[2] != "" {
		end, _ = strconv.Atoi(found[2])
	}
	if start < 1 || end < start {
		return "", refuseReference("invalid lines %q (they begin at 1 and end after their start)", at)
	}
	// The lines of an empty file begin at 1 too.
	last = max(last, 1)
	return codeAt(name, min(start, last), min(end, last)), nil
}

func codeAt(name string, start, end int) string {
	if start == end {
		return fmt.Sprintf("%s#%d", name, start)
	}
	return fmt.Sprintf("%s#%d-%d", name, start, end)
}

var (
	jiraForm   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([A-Za-z][A-Za-z0-9_]*)-([0-9]+)$`) })
	githubForm = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^([A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+)#([0-9]+)$`)
	})
)

// normalizeJira returns the key of an issue in Jira.
func normalizeJira(value string) (string, error) {
	found := jiraForm().FindStringSubmatch(cutScheme(value, "jira:"))
	if found == nil {
		return "", refuseReference("invalid Jira issue %q (use PROJECT-123)", value)
	}
	// Jira ignores case, so the stored form has one.
	return strings.ToUpper(found[1]) + "-" + found[2], nil
}

// normalizeGitHub returns the name of an issue on GitHub.
func normalizeGitHub(value string) (string, error) {
	found := githubForm().FindStringSubmatch(cutScheme(value, "github:"))
	if found == nil {
		return "", refuseReference("invalid GitHub issue %q (use owner/repo#123)", value)
	}
	// GitHub ignores case in names.
	return strings.ToLower(found[1]) + "#" + found[2], nil
}

// cutScheme removes a scheme, in any case, from the start of a text.
func cutScheme(text, scheme string) string {
	if len(text) >= len(scheme) && strings.EqualFold(text[:len(scheme)], scheme) {
		return strings.TrimSpace(text[len(scheme):])
	}
	return text
}

// SameReference reports whether two references are to the same: lines of code with and without L, and issues in any
// case. It needs no files, so a reference to a file that no longer exists can be found.
func SameReference(a, b taskfields.Reference) bool {
	return strings.EqualFold(strings.TrimSpace(a.Kind), strings.TrimSpace(b.Kind)) && comparedForm(a) == comparedForm(b)
}

// comparedForm returns the value by which two references of one kind are compared.
func comparedForm(r taskfields.Reference) string {
	value := strings.TrimSpace(r.Value)
	switch strings.ToLower(strings.TrimSpace(r.Kind)) {
	case "jira":
		return strings.ToUpper(cutScheme(value, "jira:"))
	case "github":
		return strings.ToLower(cutScheme(value, "github:"))
	case "file":
		return path.Clean(strings.ReplaceAll(value, `\`, "/"))
	case "code":
		name, at, marked := strings.Cut(value, "#")
		name = path.Clean(strings.ReplaceAll(name, `\`, "/"))
		found := linesForm().FindStringSubmatch(at)
		if !marked || found == nil {
			return name + value[min(len(value), strings.IndexByte(value+"#", '#')):]
		}
		start, _ := strconv.Atoi(found[1])
		end := start
		if found[2] != "" {
			end, _ = strconv.Atoi(found[2])
		}
		return codeAt(name, start, end)
	}
	return value
}
