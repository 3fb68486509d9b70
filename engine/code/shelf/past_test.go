package shelf

import (
	"testing"
)

func TestChanged(t *testing.T) {
	t.Parallel()
	wide := Change{Subject: "Rename retries everywhere", Files: make([]string, 21)}
	past := []Change{
		{Subject: "Retry uploads", Files: []string{"upload.go"}},
		{Subject: "Retry downloads", Files: []string{"download.go", "a.go", "b.go"}},
		{Subject: "Describe the limits", Files: []string{"limits.md"}},
		wide,
	}
	list, err := Changed(past, "retries of an upload")
	if err != nil || len(list) != 4 || list[0].Key != "upload.go" || list[1].Key != "a.go" {
		t.Errorf("%v, %v", list, err)
	}
	for _, text := range []string{"", "zebra"} {
		if list, err = Changed(past, text); err != nil || len(list) != 0 {
			t.Errorf("%q: %v, %v", text, list, err)
		}
	}
	if list, err = Changed(nil, "retries"); err != nil || len(list) != 0 {
		t.Errorf("without a past: %v, %v", list, err)
	}
}
