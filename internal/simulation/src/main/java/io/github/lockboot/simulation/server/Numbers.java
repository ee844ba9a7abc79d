package io.github.lockboot.simulation.server;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Numbers as Redis reads and prints them.
 */
final class Numbers {

	private static final Pattern NUMBER = Pattern.compile("[-+.0-9eE]+");

	private Numbers() {
	}

	static long integer(String text) {
		// Redis accepts neither a sign '+' nor leading zeros
		if (text.isEmpty() || text.startsWith("+") || (text.length() > 1 && text.startsWith("0"))
				|| text.startsWith("-0")) {
			throw CommandException.notAnInteger();
		}
		try {
			return Long.parseLong(text);
		}
		catch (NumberFormatException ex) {
			throw CommandException.notAnInteger();
		}
	}

	static double score(String text, String message) {
		Double score = parse(text);
		if (score == null || score.isNaN()) {
			throw new CommandException(message);
		}
		return score;
	}

	private static @Nullable Double parse(String text) {
		switch (text) {
			case "-inf", "-Inf":
				return Double.NEGATIVE_INFINITY;
			case "inf", "+inf", "Inf", "+Inf":
				return Double.POSITIVE_INFINITY;
			default:
				try {
					return NUMBER.matcher(text).matches() ? Double.valueOf(text) : null;
				}
				catch (NumberFormatException ex) {
					return null;
				}
		}
	}

	/** Prints a number with up to 17 digits, as {@code %.17g} does. */
	static String print(double number) {
		if (number == Math.rint(number) && Math.abs(number) < 1e17) {
			return (number == 0 && 1 / number < 0) ? "-0" : Long.toString((long) number);
		}
		if (Double.isNaN(number) || Double.isInfinite(number)) {
			return Double.isNaN(number) ? "nan" : (number > 0) ? "inf" : "-inf";
		}
		BigDecimal rounded = new BigDecimal(number).round(new MathContext(17)).stripTrailingZeros();
		int exponent = rounded.precision() - rounded.scale() - 1;
		if (exponent >= -4 && exponent < 17) {
			return rounded.toPlainString();
		}
		String digits = rounded.unscaledValue().abs().toString();
		return ((number < 0) ? "-" : "") + digits.charAt(0) + ((digits.length() > 1) ? "." + digits.substring(1) : "")
				+ String.format("e%s%02d", (exponent < 0) ? "-" : "+", Math.abs(exponent));
	}

}
