package io.github.lockboot.cache.aop;

import java.lang.reflect.Method;

import org.junit.jupiter.api.Test;
import org.springframework.util.ClassUtils;

import io.github.lockboot.cache.RedisCache;
import io.github.lockboot.cache.RedisCacheEvict;
import io.github.lockboot.cache.RedisCachePut;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Detection of annotations of the cache.
 */
class CacheDeclarationTests {

	@Test
	void annotationsAreFoundByTheirNames() {
		assertThat(CacheDeclaration.ANNOTATIONS).containsExactly(RedisCache.class.getName(),
				RedisCachePut.class.getName(), RedisCachePut.Several.class.getName(), RedisCacheEvict.class.getName(),
				RedisCacheEvict.Several.class.getName());
	}

	@Test
	void annotationOfAnInterfaceThatOnlyASubclassImplementsIsFound() {
		Method find = ClassUtils.getMethod(Late.class, "find", int.class);
		assertThat(CacheDeclaration.finder().find(find, Late.class)).isNotNull()
			.satisfies((found) -> assertThat(found.readsWithoutName()).isFalse());
	}

	@Test
	void methodWithoutAnAnnotationIsNotFound() {
		Method find = ClassUtils.getMethod(Unaware.class, "find", int.class);
		assertThat(CacheDeclaration.finder().find(find, Unaware.class)).isNull();
	}

	interface Finder {

		@RedisCache(name = "product")
		String find(int id);

	}

	static class Unaware {

		public String find(int id) {
			return "product " + id;
		}

	}

	static class Late extends Unaware implements Finder {

	}

}
