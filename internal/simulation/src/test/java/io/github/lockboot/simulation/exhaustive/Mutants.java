package io.github.lockboot.simulation.exhaustive;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ClassPathResource;

import io.github.lockboot.redis.ShippedScripts;

/**
 * Each comparison, operator, constant and command of the scripts, changed once.
 */
final class Mutants {

	private static final List<String> FILES = List.of("constants.lua", "acquire-first.lua", "acquire-free.lua",
			"acquire.lua", "batch.lua", "downgrade.lua", "extend.lua", "force.lua", "handover.lua", "inspect.lua",
			"keep-queued.lua", "queue.lua", "release-last.lua", "release-owned.lua", "release.lua", "renew.lua");

	private static final Pattern TOKEN = Pattern
		.compile("==|~=|<=|>=|<|>| and | or |\\bnot |\\btrue\\b|\\bfalse\\b| [-+*] "
				+ "|math\\.(?:max|min)|(?<![\\w%.'])\\d+(?![\\w'])|'[A-Z]+'");

	private static final Map<String, String> CHANGES = Map.ofEntries(Map.entry("==", "~="), Map.entry("~=", "=="),
			Map.entry("<=", "<"), Map.entry(">=", ">"), Map.entry("<", "<="), Map.entry(">", ">="),
			Map.entry(" and ", " or "), Map.entry(" or ", " and "), Map.entry("not ", ""), Map.entry("true", "false"),
			Map.entry("false", "true"), Map.entry(" + ", " - "), Map.entry(" - ", " + "), Map.entry(" * ", " / "),
			Map.entry("math.max", "math.min"), Map.entry("math.min", "math.max"));

	/** Commands that read instead, or write something else. */
	private static final Map<String, String> COMMANDS = Map.ofEntries(Map.entry("'DEL'", "'EXISTS'"),
			Map.entry("'HDEL'", "'HGET'"), Map.entry("'ZREM'", "'ZSCORE'"), Map.entry("'ZREMRANGEBYSCORE'", "'ZCOUNT'"),
			Map.entry("'RPUSH'", "'LPUSH'"), Map.entry("'BEFORE'", "'AFTER'"), Map.entry("'LPOP'", "'LLEN'"),
			Map.entry("'XX'", "'NX'"), Map.entry("'PX'", "'EX'"), Map.entry("'PEXPIRE'", "'EXPIRE'"),
			Map.entry("'GT'", "'LT'"), Map.entry("'PUBLISH'", "'SPUBLISH'"), Map.entry("'ZCARD'", "'EXISTS'"),
			Map.entry("'HLEN'", "'EXISTS'"), Map.entry("'LLEN'", "'EXISTS'"), Map.entry("'EXISTS'", "'DEL'"),
			Map.entry("'HKEYS'", "'HGETALL'"));

	private Mutants() {
	}

	/** A file with one change. */
	record Mutant(String file, String place, String change, String original, String text) {

		/** Applies the change to a script, if it contains the file. */
		String applied(String script) {
			return script.replace(this.original, this.text);
		}

		@Override
		public String toString() {
			return this.file + ":" + this.place + " " + this.change;
		}

	}

	static List<Mutant> all() {
		List<Mutant> mutants = new ArrayList<>();
		FILES.forEach((file) -> addAll(mutants, file));
		return mutants;
	}

	private static void addAll(List<Mutant> mutants, String file) {
		int line = 1;
		// an included file is mutated on its own
		for (String part : text(file).split("(?m)^\\s*-- include \\S+$", -1)) {
			addAll(mutants, file, line, part);
			line += (int) part.lines().count();
		}
	}

	private static void addAll(List<Mutant> mutants, String file, int first, String part) {
		int offset = 0;
		int number = first;
		for (String line : part.split("(?<=\n)")) {
			int end = (line.indexOf("--") >= 0) ? line.indexOf("--") : line.length();
			Matcher token = TOKEN.matcher(line).region(0, end);
			while (token.find()) {
				String changed = changed(token.group());
				if (changed != null) {
					String mutated = part.substring(0, offset + token.start()) + changed
							+ part.substring(offset + token.end());
					mutants.add(new Mutant(file, number + ":" + (token.start() + 1),
							token.group().trim() + " -> " + changed.trim() + " in " + line.trim(), part, mutated));
				}
			}
			offset += line.length();
			number++;
		}
	}

	private static @Nullable String changed(String token) {
		if (Character.isDigit(token.charAt(0))) {
			return Long.toString(Long.parseLong(token) + 1);
		}
		return token.startsWith("'") ? COMMANDS.get(token) : CHANGES.get(token);
	}

	private static String text(String file) {
		try {
			return new ClassPathResource(file, ShippedScripts.class).getContentAsString(StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
