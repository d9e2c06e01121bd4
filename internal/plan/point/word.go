package point

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-shellwords"

	"rpcbench/internal/call/secret"
)

// SplitWords splits a text into words as a shell does: at white space that is neither quoted nor escaped. Nothing is expanded.
// Characters that are operators in a shell must be quoted.
func SplitWords(text string) ([]string, error) {
	if !utf8.ValidString(text) {
		return nil, errors.New("it is not UTF-8")
	}
	parser := &shellwords.Parser{}
	words, err := parser.Parse(text)
	if err != nil {
		return nil, errors.New("a quote or parenthesis in it is not closed, or must be quoted")
	}
	if parser.Position >= 0 {
		return nil, operatorError([]rune(text)[parser.Position])
	}
	return words, nil
}

// Quoted is a word as SplitWords and a shell read it again: in quotes unless all of its characters are plain.
func Quoted(word string) string {
	plain := func(r rune) bool {
		return strings.ContainsRune("-_./:=,@%+", r) ||
			'0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	}
	if word != "" && !strings.ContainsFunc(word, func(r rune) bool { return !plain(r) }) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// An operatorError is a character that is an operator in a shell.
type operatorError rune

func (e operatorError) Error() string { return fmt.Sprintf("%q in it must be quoted", string(e)) }

// CommandWords splits a command into words as SplitWords does, and says that no shell carries it out if it has a shell's
// operators.
func CommandWords(text string) ([]string, error) {
	words, err := SplitWords(text)
	if _, ok := errors.AsType[operatorError](err); ok {
		err = fmt.Errorf("%w: no shell carries out the command; write sh -c '…' if one is to", err)
	}
	return words, err
}

// takeNext are options of the java command that take the next word as their value. In a worker's command that would be
// one of the worker's own words.
var takeNext = []string{
	"-cp", "-classpath", "--class-path", "-p", "--module-path", "--upgrade-module-path", "-m", "--module", "-d",
	"--describe-module", "-jar", "--source", "--add-modules", "--limit-modules", "--add-exports", "--add-opens", "--add-reads",
	"--patch-module", "--enable-native-access",
}

// JVMWords splits options for a JVM into words, each of which is an option by itself. Anything else could become the name
// of a program to run, or of a file with more options.
func JVMWords(text string) ([]string, error) {
	words, err := SplitWords(text)
	if err != nil {
		return nil, fmt.Errorf("%q can't be split into words: %w", text, err)
	}
	for _, word := range words {
		switch {
		case !strings.HasPrefix(word, "-"):
			return nil, fmt.Errorf("%q is not a JVM option, such as -Xmx2g", word)
		case slices.Contains(takeNext, word):
			return nil, fmt.Errorf("%q takes the next word as its value; give options as single words, such as "+
				"--add-opens=java.base/java.nio=ALL-UNNAMED", word)
		}
	}
	return words, nil
}

// jvmOptions accepts a text of options without secrets, because results show them. The JVM checks the options themselves.
func jvmOptions(text string) (string, error) {
	words, err := JVMWords(text)
	if err != nil {
		return "", err
	}
	for i, shown := range secret.Words(words) {
		if shown != words[i] {
			return "", fmt.Errorf("%s looks like a secret, which results would show: set it in the environment's JAVA_OPTS", shown)
		}
	}
	return strings.TrimSpace(text), nil
}
