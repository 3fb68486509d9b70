package report

import (
	"io"
	"net/url"
	"slices"
	"strings"

	"chant/text"
)

// The parts of SARIF 2.1.0 that are written.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool    sarifTool     `json:"tool"`
		Results []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID    string    `json:"id"`
		Short sarifText `json:"shortDescription"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		Rule         string            `json:"ruleId"`
		Index        *int              `json:"ruleIndex,omitempty"`
		Level        string            `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations,omitempty"`
		Fingerprints map[string]string `json:"partialFingerprints"`
		Properties   map[string]string `json:"properties,omitempty"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI    string `json:"uri"`
		BaseID string `json:"uriBaseId"`
	}
	sarifRegion struct {
		Start int `json:"startLine"`
	}
)

const sarifSchema = "https://json.schemastore.org/sarif-2.1.0.json"

// SARIF writes findings as a log of SARIF 2.1.0. version is that of chant, "" for none; rules are all rules that were
// checked, with or without findings. Errors: those of w, and a finding of an unknown level.
func SARIF(w io.Writer, version string, rules []Rule, found []Finding) error {
	// A list must be there even if it is empty.
	run := sarifRun{Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "chant", Version: version, Rules: []sarifRule{}}
	for _, r := range rules {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{r.ID, sarifText{r.Text}})
	}
	seen := fingerprints{}
	for _, f := range found {
		result, err := f.sarif(rules)
		if err != nil {
			return err
		}
		result.Fingerprints = map[string]string{"chant/v1": seen.add(f)}
		run.Results = append(run.Results, result)
	}
	return writeJSON(w, sarifLog{sarifSchema, "2.1.0", []sarifRun{run}})
}

func (f Finding) sarif(rules []Rule) (sarifResult, error) {
	level, err := f.level(map[string]string{Error: "error", Warning: "warning", Note: "note"})
	out := sarifResult{Rule: f.Rule, Level: level, Message: sarifText{f.Message}}
	if i := slices.IndexFunc(rules, func(r Rule) bool { return r.ID == f.Rule }); i >= 0 {
		out.Index = &i
	}
	if f.Spec != "" {
		out.Properties = map[string]string{"spec": f.Spec}
	}
	if f.Path == "" {
		return out, err
	}
	at := sarifPhysical{Artifact: sarifArtifact{relativeURI(f.Path), "%SRCROOT%"}}
	if f.Line > 0 {
		at.Region = &sarifRegion{f.Line}
	}
	out.Locations = []sarifLocation{{at}}
	return out, err
}

// relativeURI percent-encodes a path. The result is relative also for a path with a leading slash or with a colon in
// its first segment.
func relativeURI(path string) string {
	return (&url.URL{Path: strings.TrimLeft(path, "/")}).String()
}

func writeJSON(w io.Writer, v any) error {
	out, err := text.JSON(v, "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(out, '\n'))
	return err
}
