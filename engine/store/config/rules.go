package config

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"chant/engine/spec"
	"chant/engine/spec/lint"
	"chant/engine/spec/schedule"
	"chant/engine/spec/task"
	"chant/engine/store/shape"
	"chant/providers/cli"
	"chant/providers/secret"
)

// Rules are the formats of single values, by the name in a field's tag `rule`.
func Rules() map[string]shape.Rule {
	return map[string]shape.Rule{
		"added_specs":     shape.Parsed(parseAddedSpecs),
		"after_failure":   shape.Parsed(schedule.ParseAfterFailure),
		"api":             shape.Parsed(parseAPI),
		"caches":          shape.Parsed(parseCaches),
		"conflicts":       shape.Parsed(parseConflicts),
		"count":           shape.Parsed(parseCount),
		"embeddings":      shape.Parsed(parseEmbeddings),
		"duration":        shape.Parsed(parseDuration),
		"factor":          shape.Parsed(parseFactor),
		"fleet_landing":   shape.Parsed(parseFleetLanding),
		"fleet_url":       shape.Parsed(parseFleetURL),
		"id_prefix":       shape.Parsed(parsePrefix),
		"interval":        shape.Parsed(parseInterval),
		"key_variable":    shape.Parsed(parseKeyVariable),
		"plan_form":       shape.Parsed(parsePlanForm),
		"landing_order":   shape.Parsed(parseLandingOrder),
		"milliseconds":    shape.Parsed(parseMilliseconds),
		"minutes":         shape.Parsed(parseMinutes),
		"people":          shape.Parsed(parsePeople),
		"prompt_input":    shape.Parsed(parsePromptInput),
		"regexp":          shape.Parsed(regexp.Compile),
		"rejection":       shape.Parsed(ParseRejection),
		"remote":          shape.Parsed(parseRemote),
		"repo_name":       shape.Parsed(parseRepoName),
		"rotation":        shape.Parsed(schedule.ParseRotation),
		"sandbox":         shape.Parsed(parseSandboxMode),
		"secret_file":     shape.Parsed(parseSecretFile),
		"settings_format": shape.Parsed(parseFormat),
		"severity":        shape.Parsed(parseSeverity),
		"task_prefix":     shape.Parsed(parseTaskPrefix),
		"task_status":     shape.Parsed(parseTaskStatus),
		"url":             shape.Parsed(parseURL),
	}
}

// parseFormat reads the number of a format that this version reads. A newer one was refused before.
func parseFormat(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("invalid format %q (use 1)", text)
	}
	return n, nil
}

// parseCount reads a whole number from 0.
func parseCount(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%q is not a whole number from 0", text)
	}
	return n, nil
}

// parsePeople reads a whole number from 1.
func parsePeople(text string) (int, error) {
	n, err := parseCount(text)
	if err != nil || n == 0 {
		return 0, fmt.Errorf("%q is not a whole number from 1", text)
	}
	return n, nil
}

// parseDuration reads "90s", "10m" or "1h30m", and 0.
func parseDuration(text string) (time.Duration, error) {
	if text == "0" {
		return 0, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("invalid duration %q (use 90s, 10m or 1h30m)", text)
	}
	return d, nil
}

// maxSetting limits times that are given as a number of units: the sum of two is still a time.Duration.
const maxSetting = 365 * 24 * time.Hour

// parseTimes reads a whole number of units, from 0 to a year.
func parseTimes(text string, unit time.Duration) (int, error) {
	n, err := parseCount(text)
	if err == nil && int64(n) > int64(maxSetting/unit) {
		err = fmt.Errorf("%q is longer than a year", text)
	}
	return n, err
}

// parseMinutes reads a whole number of minutes from 0.
func parseMinutes(text string) (int, error) { return parseTimes(text, time.Minute) }

// parseMilliseconds reads a whole number of milliseconds from 0.
func parseMilliseconds(text string) (time.Duration, error) {
	n, err := parseTimes(text, time.Millisecond)
	return time.Duration(n) * time.Millisecond, err
}

// parseInterval reads a whole number of milliseconds from 1.
func parseInterval(text string) (time.Duration, error) {
	d, err := parseMilliseconds(text)
	// An interval of 0 would never pause.
	if err == nil && d == 0 {
		err = fmt.Errorf("%q is not a whole number from 1", text)
	}
	return d, err
}

// parseFactor reads a number from 1.
func parseFactor(text string) (float64, error) {
	n, err := strconv.ParseFloat(text, 64)
	// Written so that NaN, which compares with nothing, is refused too.
	if err != nil || !(n >= 1) || math.IsInf(n, 0) {
		return 0, fmt.Errorf("invalid number %q (use one from 1)", text)
	}
	return n, nil
}

// parsePrefix reads what ids begin with. A prefix that no file or branch can have would create specs that no
// command accepts.
func parsePrefix(text string) (string, error) {
	// The prefix must leave room for the rest of the longest id.
	longest := spec.ID{Prefix: text, Date: spec.DateLayout, Suffix: "abc", Members: []int{100, 100, 100}}
	if bad, ok := errors.AsType[*spec.IDError](spec.ValidName(longest.String())); ok {
		return "", fmt.Errorf("%q cannot begin an id, which %s", spec.Echo(text), bad.Msg)
	}
	return text, nil
}

// parseTaskPrefix reads the prefix of a project of tasks, or nothing.
func parseTaskPrefix(text string) (string, error) {
	if text == "" {
		return "", nil
	}
	return text, task.CheckPrefix(text)
}

// parseTaskStatus reads a status of a spec. Here no word means none, and not pending.
func parseTaskStatus(text string) (spec.Status, error) {
	if !slices.Contains(spec.StatusWords(), text) {
		return "", fmt.Errorf("unknown status %q (one of %s)", spec.Echo(text), strings.Join(spec.StatusWords(), ", "))
	}
	return spec.Status(text), nil
}

// parseSeverity reads error, warning or off.
func parseSeverity(text string) (lint.Severity, error) {
	word := strings.ToLower(text)
	// Some editors write an unquoted off back as false or no.
	if text == "false" || word == "no" {
		word = string(lint.Off)
	}
	if !slices.Contains([]lint.Severity{lint.Error, lint.Warning, lint.Off}, lint.Severity(word)) {
		return "", fmt.Errorf("unknown severity %q (one of error, warning, off)", text)
	}
	return lint.Severity(word), nil
}

// parseAPI reads the API of a model.
func parseAPI(text string) (string, error) {
	if !slices.Contains(cli.LoopNames(), text) {
		return "", fmt.Errorf("unknown api %q (one of %s)", text, strings.Join(cli.LoopNames(), ", "))
	}
	return text, nil
}

// What makes vectors of code, in the settings, beside the APIs of servers.
const (
	EmbeddingsOff = "off"
)

// parseEmbeddings reads what makes vectors of code.
func parseEmbeddings(text string) (string, error) {
	if known := []string{"openai", "ollama", EmbeddingsOff}; text != "" && !slices.Contains(known, text) {
		return "", fmt.Errorf("unknown embeddings %q (one of %s; empty: what is learned from the repository)", text, strings.Join(known, ", "))
	}
	return text, nil
}

// parseURL reads the URL of a server, or nothing.
func parseURL(text string) (string, error) {
	u, err := url.Parse(text)
	if text != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
		// A URL may contain a password, which must not appear in an error.
		return "", fmt.Errorf("invalid URL %q (use one such as http://127.0.0.1:11434)", secret.InSettings(text))
	}
	return text, nil
}

// parseKeyVariable reads the name of the variable that contains a key. It refuses a key.
func parseKeyVariable(text string) (string, error) {
	if text != "" && !spec.VariableName(text) {
		return "", errors.New("key_env is the name of a variable such as OPENAI_API_KEY, never the key itself")
	}
	return text, nil
}

// parsePromptInput reads how an agent gets its prompt.
func parsePromptInput(text string) (string, error) {
	if text != "stdin" && text != "file" {
		return "", fmt.Errorf("prompt: %q is neither stdin nor file", text)
	}
	return text, nil
}
