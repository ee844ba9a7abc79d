package io.github.lockboot.cache.codec;

import java.lang.reflect.Type;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import org.jspecify.annotations.Nullable;

/**
 * The shape of a type as Jackson 2 writes it: names and types of properties, including
 * those of named subtypes, but no names of application classes.
 */
final class Jackson2Shape {

	private final JsonMapper mapper;

	private final SerializationConfig config;

	private final StringBuilder text = new StringBuilder();

	private final Map<JavaType, Integer> seen = new HashMap<>();

	Jackson2Shape(JsonMapper mapper) {
		this.mapper = mapper;
		this.config = mapper.getSerializationConfig();
	}

	/** Return the number of a type, or that of its fields if Jackson can't write it. */
	int of(Type type) {
		try {
			add(this.mapper.constructType(type), null);
			return TypeShape.digest(this.text.toString());
		}
		catch (JsonProcessingException | IllegalArgumentException ex) {
			return TypeShape.of(type);
		}
	}

	private void add(JavaType type, @Nullable AnnotatedMember property) throws JsonProcessingException {
		if (type.isEnumType()) {
			this.text.append(this.mapper.writeValueAsString(type.getRawClass().getEnumConstants()));
		}
		else if (type.isContainerType() || type.isReferenceType() || ValueTypes.isOfJava(type.getRawClass())) {
			this.text
				.append(ValueTypes.isOfJava(type.getRawClass()) ? type.getRawClass().getName() : type.isMapLikeType());
			addArguments(type);
		}
		else {
			addBean(type, property);
		}
		this.text.append(';');
	}

	private void addArguments(JavaType type) throws JsonProcessingException {
		if (type.getKeyType() != null) {
			add(type.getKeyType(), null);
		}
		if (type.getContentType() != null) {
			add(type.getContentType(), null);
		}
	}

	private void addBean(JavaType type, @Nullable AnnotatedMember property) throws JsonProcessingException {
		Integer before = this.seen.putIfAbsent(type, this.seen.size());
		if (before != null) {
			this.text.append('^').append(before);
			return;
		}
		BeanDescription bean = describe(type);
		AnnotatedMember value = bean.findJsonValueAccessor();
		if (value != null) {
			add(value.getType(), value);
			return;
		}
		this.text.append('{');
		for (BeanPropertyDefinition part : bean.findProperties()
			.stream()
			.filter((part) -> part.couldSerialize() && part.couldDeserialize())
			.sorted(Comparator.comparing(BeanPropertyDefinition::getName))
			.toList()) {
			this.text.append(part.getName()).append(':');
			add(part.getPrimaryType(), part.getAccessor());
		}
		this.text.append('}');
		addSubtypes(type, property, bean);
	}

	private void addSubtypes(JavaType type, @Nullable AnnotatedMember property, BeanDescription bean)
			throws JsonProcessingException {
		for (NamedType subtype : ((property != null)
				? this.config.getSubtypeResolver().collectAndResolveSubtypesByClass(this.config, property, type)
				: this.config.getSubtypeResolver().collectAndResolveSubtypesByClass(this.config, bean.getClassInfo()))
			.stream()
			.filter((named) -> named.getType() != type.getRawClass())
			.sorted(Comparator.comparing(Jackson2Shape::nameOf))
			.toList()) {
			this.text.append('|').append(subtype.hasName() ? subtype.getName() : "");
			add(this.config.constructType(subtype.getType()), null);
		}
	}

	private static String nameOf(NamedType type) {
		return (type.hasName() ? type.getName() : "") + ':' + type.getType().getName();
	}

	private BeanDescription describe(JavaType type) {
		return this.config.introspect(type);
	}

}
