package io.github.lockboot.cache.protocol;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.CRC32C;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;

/**
 * An entry as it is stored in Redis: a header of 32 bytes, then the payload. The header
 * is {@code CA C1}, flags, number of tags; schema (4); random id of the write, or its
 * version (8); when the entry becomes stale, Redis time in milliseconds (8); how long its
 * load took in microseconds (4); and a CRC-32C of all other bytes (4), without which half
 * a number would be read as a number. An entry with tags ends with their numbers (2 each)
 * and the position of the last evict of a tag that was known when its load began (8).
 *
 * <p>
 * Entries of several shapes of a type are in one value, as {@code parts.lua} describes:
 * the versions of an application that is deployed do not overwrite each other's.
 *
 * @param bytes the whole entry, not a copy
 * @param value the value in Redis, which is that entry or begins with the one that was
 * stored last
 */
@Internal
public record Envelope(byte[] bytes, byte[] value) {

	/** Number of the bytes of an entry that identify its write. */
	public static final int HEADER = 32;

	private static final int CHECKSUM = HEADER - Integer.BYTES;

	private static final short MAGIC = (short) 0xCAC1;

	private static final byte NULL = 1;

	/** The version of a put is in the place of the id; {@code put.lua} reads both. */
	private static final byte VERSIONED = 2;

	private static final int VERSION = 8;

	private static final int TAGS = 3;

	/** Ends a value of several entries. */
	private static final int SEVERAL = 0xCAC2CAC2;

	/** Reads numbers of the header without a buffer, which each hit would allocate. */
	private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

	private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

	/**
	 * Create the entry of a value.
	 * @param schema number of the shape of the type
	 * @param staleAtMillis when the entry becomes stale, Redis time
	 * @param payload the encoded value, or {@code null} for a null
	 * @param tags the tags of the value, {@code null} for none
	 */
	public static byte[] seal(int schema, long staleAtMillis, long loadMicros, byte @Nullable [] payload,
			@Nullable Long version, @Nullable Tags tags) {
		byte[] value = (payload != null) ? payload : new byte[0];
		int count = (tags != null) ? tags.numbers.size() : 0;
		ByteBuffer entry = ByteBuffer.allocate(HEADER + value.length + Tags.bytes(count))
			.putShort(MAGIC)
			.put((byte) (((payload == null) ? NULL : 0) | ((version != null) ? VERSIONED : 0)))
			.put((byte) count)
			.putInt(schema)
			.putLong((version != null) ? rank(version) : ThreadLocalRandom.current().nextLong())
			.putLong(staleAtMillis)
			.putInt((int) Math.min(loadMicros, Integer.MAX_VALUE))
			.putInt(0)
			.put(value);
		if (tags != null) {
			tags.numbers.forEach((number) -> entry.putShort(number.shortValue()));
			entry.putLong(tags.position);
		}
		entry.putInt(CHECKSUM, checksum(entry.array()));
		return entry.array();
	}

	public Envelope(byte[] bytes) {
		this(bytes, bytes);
	}

	/**
	 * Parse a value.
	 * @return the entry of the schema, or {@code null} if there is none, the bytes are
	 * damaged or of another program
	 */
	public static @Nullable Envelope open(byte[] value, int schema) {
		Envelope only = open(value, value, schema);
		ByteBuffer several = ByteBuffer.wrap(value);
		int end = value.length - 2 * Integer.BYTES;
		if (only != null || value.length < HEADER || several.getInt(end + Integer.BYTES) != SEVERAL) {
			return only;
		}
		int start = 0;
		for (int at = end - several.getInt(end) * Integer.BYTES; at >= start && at < end; at += Integer.BYTES) {
			int length = several.getInt(at);
			if (length < HEADER || length > end - start) {
				return null;
			}
			Envelope part = open(Arrays.copyOfRange(value, start, start + length), value, schema);
			if (part != null) {
				return part;
			}
			start += length;
		}
		return null;
	}

	private static @Nullable Envelope open(byte[] entry, byte[] value, int schema) {
		if (entry.length < HEADER) {
			return null;
		}
		Envelope envelope = new Envelope(entry, value);
		return (envelope.number(0) >>> Short.SIZE == (MAGIC & 0xFFFF) && envelope.schema() == schema
				&& envelope.number(CHECKSUM) == checksum(entry)) ? envelope : null;
	}

	/** Return the beginning of the value in Redis. */
	public byte[] mark() {
		return mark(this.value);
	}

	/** Return the version of the entry, {@code null} if it has none. */
	public @Nullable Long version() {
		return version(mark(this.bytes));
	}

	/** Return the beginning of an entry, or of any other bytes: it identifies a write. */
	public static byte[] mark(byte[] entry) {
		return Arrays.copyOf(entry, Math.min(entry.length, HEADER));
	}

	private static int checksum(byte[] entry) {
		CRC32C crc = new CRC32C();
		crc.update(entry, 0, CHECKSUM);
		crc.update(entry, HEADER, entry.length - HEADER);
		return (int) crc.getValue();
	}

	public int schema() {
		return number(4);
	}

	public boolean isNull() {
		return (this.bytes[2] & NULL) != 0;
	}

	/** Return the version in the beginning of an entry, {@code null} if it has none. */
	public static @Nullable Long version(byte[] mark) {
		return (mark.length == HEADER && (mark[2] & VERSIONED) != 0) ? rank(ByteBuffer.wrap(mark).getLong(VERSION))
				: null;
	}

	static byte[] versionBytes(long version) {
		return ByteBuffer.allocate(Long.BYTES).putLong(rank(version)).array();
	}

	/** Convert a version to an unsigned number of the same order, and back. */
	private static long rank(long version) {
		return version ^ Long.MIN_VALUE;
	}

	/** Return the length of the encoded value. */
	public int length() {
		return this.bytes.length - HEADER - Tags.bytes(tagCount());
	}

	public boolean hasTags() {
		return tagCount() > 0;
	}

	private int tagCount() {
		return this.bytes[TAGS] & 0xFF;
	}

	/** Return the tags of the entry, {@code null} if it has none. */
	public @Nullable Tags tags() {
		int count = tagCount();
		if (count == 0) {
			return null;
		}
		ByteBuffer end = ByteBuffer.wrap(this.bytes, HEADER + length(), Tags.bytes(count));
		List<Integer> numbers = new ArrayList<>(count);
		for (int i = 0; i < count; i++) {
			numbers.add(Short.toUnsignedInt(end.getShort()));
		}
		return new Tags(numbers, end.getLong());
	}

	public long staleAtMillis() {
		return (long) LONG.get(this.bytes, 16);
	}

	public long loadMicros() {
		return number(24);
	}

	private int number(int index) {
		return (int) INT.get(this.bytes, index);
	}

	/**
	 * The tags of an entry. So that neither Redis nor a JVM has to keep more, a tag is a
	 * number: two tags may be evicted together.
	 *
	 * @param numbers the numbers, from 1 to 65,535
	 * @param position the position of the last evict that was known when the load began
	 */
	public record Tags(Collection<Integer> numbers, long position) {

		/** Stands for all tags. */
		public static final int ALL = 0;

		/** How many tags an entry may have. */
		public static final int MOST = 255;

		private static final int HIGHEST = 0xFFFF;

		/** Return the number of a tag, the same in every JVM. */
		public static int numberOf(String tag) {
			CRC32C crc = new CRC32C();
			crc.update(tag.getBytes(StandardCharsets.UTF_8));
			return 1 + (int) (crc.getValue() % HIGHEST);
		}

		private static int bytes(int count) {
			return (count == 0) ? 0 : count * Short.BYTES + Long.BYTES;
		}

	}

}
