package screen

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestMain is the fake pager too: the test program, started with FAKE_PAGER.
func TestMain(m *testing.M) {
	switch os.Getenv("FAKE_PAGER") {
	case "":
		os.Exit(m.Run())
	case "numbers": // each line with its number, as proof that it came by the pager
		lines := bufio.NewScanner(os.Stdin)
		for n := 1; lines.Scan(); n++ {
			fmt.Printf("%d:%s\n", n, lines.Text())
		}
		fmt.Println("LESS=" + os.Getenv("LESS"))
		os.Exit(3)
	case "quits": // after the first line
		line, _ := bufio.NewReaderSize(os.Stdin, 16).ReadString('\n')
		fmt.Print(line)
		os.Exit(1)
	case "stays":
		fmt.Println("here")
		select {}
	}
}

func pagerOf(t *testing.T, mode string, out io.Writer) *Pager {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &Pager{Words: []string{self}, Environ: append(os.Environ(), "FAKE_PAGER="+mode), Out: out, Width: 10, Height: 4}
}

func TestPager(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                       "",
		"a\nb\nc\n":              "a\nb\nc\n", // fits, with a row for the prompt
		"a\nb\nc\nd\n":           "1:a\n2:b\n3:c\n4:d\nLESS=FRX\n",
		"a\nb\n0123456789x\n":    "1:a\n2:b\n3:0123456789x\nLESS=FRX\n", // three lines in four rows
		"a\nb\n\x1b[1m0123456\n": "a\nb\n\x1b[1m0123456\n",              // styles take no room
	} {
		for _, whole := range []bool{true, false} {
			var out bytes.Buffer
			p := pagerOf(t, "numbers", &out)
			p.Environ = slices.DeleteFunc(p.Environ, func(kv string) bool { return strings.HasPrefix(kv, "LESS=") })
			pieces := []string{text}
			if !whole {
				pieces = strings.SplitAfter(text, "")
			}
			for _, piece := range pieces {
				if n, err := p.Write([]byte(piece)); n != len(piece) || err != nil {
					t.Fatalf("%q: %d, %v", piece, n, err)
				}
			}
			if err := p.Close(); err != nil || out.String() != want {
				t.Errorf("%q, whole %t: %q, %v, want %q", text, whole, out.String(), err, want)
			}
		}
	}
}

// TestPager_quits: a reader who has seen enough gets no error, however much is left to write.
func TestPager_quits(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := pagerOf(t, "quits", &out)
	line := []byte(strings.Repeat("x", 4095) + "\n")
	for range 1000 {
		if n, err := p.Write(line); n != len(line) || err != nil {
			t.Fatalf("%d, %v", n, err)
		}
	}
	if err := p.Close(); err != nil || !p.left || out.String() != string(line) {
		t.Errorf("left %t, %v, %d bytes", p.left, err, out.Len())
	}
}

// TestPager_ends: a pager that waits for its reader ends with the process.
func TestPager_ends(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	from, to := io.Pipe()
	p := pagerOf(t, "stays", to)
	p.Until = ctx
	if _, err := p.Write([]byte("a\nb\nc\nd\n")); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(from).ReadString('\n'); line != "here\n" {
		t.Fatalf("%q, %v", line, err)
	}
	stop()
	if err := p.Close(); err != nil || p.process.ProcessState == nil || p.process.ProcessState.Success() {
		t.Errorf("%v, %v", err, p.process.ProcessState)
	}
}

// TestPager_missing: what no pager shows goes to the screen, with a note.
func TestPager_missing(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	p := &Pager{Words: []string{"chant-has-no-such-pager"}, Out: &out, Err: &errs, Width: 10, Height: 2}
	for _, line := range []string{"a\n", "b\n", "c\n"} {
		if _, err := p.Write([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Close(); err != nil || out.String() != "a\nb\nc\n" || !strings.HasPrefix(errs.String(), `the pager "chant-has-no-such-pager" cannot be started: `) {
		t.Errorf("%v, %q, %q", err, out.String(), errs.String())
	}
}

func TestPagerWords(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		environ, want []string
	}{
		{[]string{"PAGER="}, nil},
		{[]string{"PAGER=cat"}, nil},
		{[]string{"PAGER=more -s"}, []string{"more", "-s"}},
		{[]string{"PAGER=more", "CHANT_PAGER="}, nil},
		{[]string{"CHANT_PAGER=most", "PAGER=cat"}, []string{"most"}},
	} {
		if got := PagerWords(test.environ); !slices.Equal(got, test.want) {
			t.Errorf("%q: %q, want %q", test.environ, got, test.want)
		}
	}
	if got := PagerWords(nil); got != nil && !slices.Equal(got, []string{"less", "-FRX"}) {
		t.Errorf("without a variable: %q", got)
	}
}
