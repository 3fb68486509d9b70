package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"
)

// Suite is what was checked of one thing, such as a spec.
type Suite struct {
	Name  string
	File  string    // below the top of the repository; "" for none
	Time  time.Time // when it was checked; zero when unknown
	Cases []Case
}

// Case is one check and its result. It passed if Failure and Skipped are both empty.
type Case struct {
	Name    string
	Class   string // groups cases of one kind
	File    string // below the top of the repository; "" for none
	Line    int    // from 1; 0 for none
	Seconds float64
	Failure string // why it failed, the first line a summary; "" when it did not
	Output  string // what it printed
	Skipped string // why it was not checked; "" when it was
}

// The elements of JUnit's XML that are written, in the order of the schema.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Time     string       `xml:"time,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name       string           `xml:"name,attr"`
		Tests      int              `xml:"tests,attr"`
		Failures   int              `xml:"failures,attr"`
		Errors     int              `xml:"errors,attr"`
		Skipped    int              `xml:"skipped,attr"`
		Time       string           `xml:"time,attr"`
		Timestamp  string           `xml:"timestamp,attr,omitempty"`
		Properties *junitProperties `xml:"properties"`
		Cases      []junitCase      `xml:"testcase"`
	}
	junitProperties struct {
		List []junitProperty `xml:"property"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr,omitempty"`
		Time    string        `xml:"time,attr"`
		Skipped *string       `xml:"skipped"`
		Failure *junitFailure `xml:"failure"`
		Output  string        `xml:"system-out,omitempty"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// JUnit writes suites as JUnit's XML. Characters that XML cannot contain are replaced by U+FFFD. Errors: those of w.
func JUnit(w io.Writer, suites []Suite) error {
	all := junitSuites{Name: "chant"}
	total := 0.0
	for _, s := range suites {
		one, seconds := s.junit()
		all.Tests += one.Tests
		all.Failures += one.Failures
		total += seconds
		all.Suites = append(all.Suites, one)
	}
	all.Time = junitTime(total)
	text, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	return err
}

func (s Suite) junit() (out junitSuite, seconds float64) {
	out = junitSuite{Name: s.Name, Tests: len(s.Cases)}
	if s.File != "" {
		out.Properties = &junitProperties{[]junitProperty{{"file", s.File}}}
	}
	if !s.Time.IsZero() {
		// The schema allows no time zone.
		out.Timestamp = s.Time.UTC().Format("2006-01-02T15:04:05")
	}
	for _, c := range s.Cases {
		one := junitCase{Name: c.Name, Class: c.Class, Time: junitTime(c.Seconds), Output: c.Output}
		switch {
		case c.Failure != "":
			one.Failure = c.failure()
			out.Failures++
		case c.Skipped != "":
			one.Skipped = &c.Skipped
			out.Skipped++
		}
		seconds += c.Seconds
		out.Cases = append(out.Cases, one)
	}
	out.Time = junitTime(seconds)
	return out, seconds
}

// failure returns the failure with the file and line in its text, because the schema has no attributes for them.
func (c Case) failure() *junitFailure {
	first, _, _ := strings.Cut(c.Failure, "\n")
	text := c.Failure
	switch {
	case c.File != "" && c.Line > 0:
		text = fmt.Sprintf("%s:%d: %s", c.File, c.Line, text)
	case c.File != "":
		text = c.File + ": " + text
	}
	return &junitFailure{first, text}
}

// junitTime writes a number of seconds with the three decimals that the schema allows.
func junitTime(seconds float64) string { return fmt.Sprintf("%.3f", max(seconds, 0)) }
