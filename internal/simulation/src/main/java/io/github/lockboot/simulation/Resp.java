package io.github.lockboot.simulation;

import java.nio.charset.StandardCharsets;
import java.util.List;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.simulation.server.RedisError;
import io.github.lockboot.simulation.server.RedisStatus;

/** The protocol of Redis. A text has one character for each byte. */
final class Resp {

	private Resp() {
	}

	/** Reads the words of a command. */
	static String[] words(ByteBuf buffer) {
		String[] words = new String[(int) number(buffer)];
		for (int i = 0; i < words.length; i++) {
			words[i] = buffer.readCharSequence((int) number(buffer), StandardCharsets.ISO_8859_1).toString();
			buffer.skipBytes(2);
		}
		return words;
	}

	private static long number(ByteBuf buffer) {
		buffer.skipBytes(1);
		long number = 0;
		for (int digit = buffer.readByte(); digit != '\r'; digit = buffer.readByte()) {
			number = number * 10 + digit - '0';
		}
		buffer.skipBytes(1);
		return number;
	}

	/** Writes a reply. */
	static void write(@Nullable Object reply, ByteBuf buffer) {
		if (reply == null) {
			line("$-1", buffer);
		}
		else if (reply instanceof Long number) {
			line(":" + number, buffer);
		}
		else if (reply instanceof RedisStatus status) {
			line("+" + status.text(), buffer);
		}
		else if (reply instanceof RedisError error) {
			line("-" + error.text(), buffer);
		}
		else if (reply instanceof List<?> list) {
			line("*" + list.size(), buffer);
			list.forEach((element) -> write(element, buffer));
		}
		else {
			String text = (String) reply;
			line("$" + text.length(), buffer);
			line(text, buffer);
		}
	}

	private static void line(String text, ByteBuf buffer) {
		buffer.writeCharSequence(text, StandardCharsets.ISO_8859_1);
		buffer.writeByte('\r').writeByte('\n');
	}

}
